import { z } from 'zod'
import { schemaId } from './order.ts'
import { reportSchema } from './schema.ts'

/** The published JSON Schema of a report (draft 2020-12) as the text of `report.schema.json`. */
export function reportJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(reportSchema, { target: 'draft-2020-12' })
  const head = { $schema, $id: schemaId, title: 'Touchstone conformance report', description }
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`
}

const description =
  'One run of the suites against one target: identity, verdict, and every requirement with its evidence.'
