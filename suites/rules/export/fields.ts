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

function responseRule(table: FieldTable, operation: Operation): Rule<EndpointModel> {
  return fieldRule(table, (model: EndpointModel) =>
    model.of(operation).map((exchange) => ({ exchange, value: exchange.json })),
  )
}

/** Creates the rule of a table about responses that must be objects: any other body lacks every field. */
function objectRule(table: FieldTable, operation: Operation): Rule<EndpointModel> {
  return fieldRule(table, (model: EndpointModel) =>
    model.of(operation).map((exchange) => ({ exchange, value: isObject(exchange.json) ? exchange.json : {} })),
  )
}

function listRule(table: FieldTable, operation: Operation): Rule<EndpointModel> {
  return fieldRule(table, (model: EndpointModel) =>
    model.of(operation).flatMap((exchange) => (listOf(exchange.json) ?? []).map((value) => ({ exchange, value }))),
  )
}

/** Rules about the fields of destinations, exports and export runs. */
export const exportFieldRules: readonly Rule<EndpointModel>[] = [
  objectRule(destinationTable, 'POST /api/v1/bulk-exports/destinations'),
  objectRule(createdTable, 'POST /api/v1/bulk-exports'),
  responseRule(exportTable, 'GET /api/v1/bulk-exports/{export_id}'),
  listRule(listedTable, 'GET /api/v1/bulk-exports'),
  listRule(exportRunTable, 'GET /api/v1/bulk-exports/{export_id}/runs'),
]
