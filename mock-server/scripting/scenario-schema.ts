import { z } from 'zod'
import { scenarioFile } from './scenario.ts'

/** Returns the text of `scenario.schema.json`, the JSON Schema (draft 2020-12) of a scenario file. */
export function scenarioJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(scenarioFile, { target: 'draft-2020-12', io: 'input' })
  const head = { $schema, $id: 'urn:touchstone:scenario:1', title: 'Touchstone scenario', description }
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`
}

const description =
  'Replies of the graphs of a mock server, and outcomes of its exports: see docs/guides/script-graphs.md.'
