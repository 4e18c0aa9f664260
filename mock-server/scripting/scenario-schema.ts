import { z } from 'zod'
import { writtenScenario } from './scenario.ts'

/** The published JSON Schema of a scenario file (draft 2020-12) as the text of `scenario.schema.json`. */
export function scenarioJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(writtenScenario, { target: 'draft-2020-12', io: 'input' })
  const head = { $schema, $id: 'urn:touchstone:scenario:1', title: 'Touchstone scenario', description }
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`
}

const description = 'What a mock server answers: see docs/guides/script-graphs.md.'
