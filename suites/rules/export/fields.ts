import { createdTable, exportTable, listedTable } from '../../catalog/export/bulk-export.ts'
import { destinationTable } from '../../catalog/export/destination.ts'
import { exportRunTable } from '../../catalog/export/export-run.ts'
import { isObject } from '../../catalog/facts.ts'
import type { FieldTable } from '../../catalog/fields.ts'
import type { EndpointModel } from '../../model/endpoint.ts'
import type { Operation } from '../../model/operations.ts'
import { listOf } from '../../values/export/lists.ts'
import { fieldRule } from '../field-rule.ts'
import type { Rule } from '../rule.ts'

function responseRule(
  table: FieldTable,
  operation: Operation,
  valuesOf: (body: unknown) => readonly unknown[] = (body) => [body],
): Rule<EndpointModel> {
  return fieldRule(table, (model: EndpointModel) =>
    model.of(operation).flatMap((exchange) => valuesOf(exchange.json).map((value) => ({ exchange, value }))),
  )
}

/** A body that is not an object lacks every field. */
const asObject = (body: unknown) => [isObject(body) ? body : {}]
const elements = (body: unknown) => listOf(body) ?? []

/** Rules about the fields of destinations, exports and export runs. */
export const exportFieldRules: readonly Rule<EndpointModel>[] = [
  responseRule(destinationTable, 'POST /api/v1/bulk-exports/destinations', asObject),
  responseRule(createdTable, 'POST /api/v1/bulk-exports', asObject),
  responseRule(exportTable, 'GET /api/v1/bulk-exports/{export_id}'),
  responseRule(listedTable, 'GET /api/v1/bulk-exports', elements),
  responseRule(exportRunTable, 'GET /api/v1/bulk-exports/{export_id}/runs', elements),
]
