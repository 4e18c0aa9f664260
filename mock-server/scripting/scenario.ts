import { z } from 'zod'
import { describeIssues, strictObject } from '../http/validation.ts'
import type { Answer } from './answer.ts'
import { checkWritten } from './check.ts'
import { type ScriptedExport, scriptedExport } from './exports.ts'
import { steps } from './schema.ts'
import type { Scripts } from './scripts.ts'

/** A scenario: the scripts of a server's graphs and exports, as a file or an option. */
export interface Scenario {
  readonly $schema?: string
  /** The scripts of graphs by name: replies, or an object with replies. */
  readonly graphs?: Readonly<Record<string, readonly Answer[] | ScenarioGraph>>
  readonly exports?: ScenarioExports
}

/** The script of exports in a scenario. */
export interface ScenarioExports {
  /** Where they are written to; options of the server go before it. @default 's3' */
  readonly bucket?: 's3' | 'memory'
  /** Every export takes the next outcome. Further exports run normally. */
  readonly script?: readonly ScriptedExport[]
  /** Begins again when all have been taken. @default false */
  readonly repeat?: boolean
  /** Sets the outcome of exports after the last. */
  readonly otherwise?: ScriptedExport
}

/** The script of a graph in a scenario. */
export interface ScenarioGraph {
  readonly answers: readonly Answer[]
  /** Gives every thread all the answers. @default false */
  readonly perThread?: boolean
  /** Begins again when all have been given. @default false */
  readonly repeat?: boolean
  /** The reply after the last. */
  readonly otherwise?: Answer
}

const step = z.union(Object.values(steps)).meta({ id: 'Step' })
const text = z.string().describe('Says a message of type `ai`')

/** A reply that a file can contain. */
const writtenAnswer: z.ZodType = z.union([text, step, z.array(z.union([text, step])).min(1)]).meta({ id: 'Answer' })

const exports = strictObject({
  bucket: z.enum(['s3', 'memory']).describe('Where exports are written to').optional(),
  script: z.array(scriptedExport).describe('Every export takes the next one').optional(),
  repeat: z.boolean().describe('Begins again when all have been taken').optional(),
  otherwise: scriptedExport.optional().describe('What becomes of exports when all have been taken'),
})

/** Returns the schema of a scenario with this schema of replies. */
function scenarioWith(answer: z.ZodType): z.ZodType {
  const graph = strictObject({
    answers: z.array(answer).describe('Every run takes the next one'),
    perThread: z.boolean().describe('Gives every thread all the answers').optional(),
    repeat: z.boolean().describe('Begins again when all have been given').optional(),
    otherwise: answer.optional().describe('The answer when all have been given'),
  })
  return strictObject({
    $schema: z.string().optional(),
    graphs: z
      .record(
        z.string().min(1),
        z.union([z.array(answer), graph], { error: 'expected an array of answers, or an object with "answers"' }),
      )
      .describe('The scripts of graphs, by name')
      .optional(),
    exports: exports.optional(),
  })
}

/** The schema of scenario files. */
export const writtenScenario: z.ZodType = scenarioWith(writtenAnswer)

// Replies are validated one by one, because the errors of a union are hard to read.
const scenario: z.ZodType = scenarioWith(z.unknown())

/** Validates a scenario. Throws a TypeError for an invalid one. */
export function checkScenario(value: unknown): Scenario {
  const result = scenario.safeParse(value)
  if (!result.success) {
    const issues = describeIssues(result.error.issues, value, 'The scenario').map(({ sentence }) => sentence)
    throw new TypeError(issues.join('; '))
  }
  const checked = value as Scenario
  for (const [name, graph] of Object.entries(checked.graphs ?? {})) {
    const { answers, otherwise } = asObject(graph)
    const what = (index: number): string => `Answer ${index + 1} of the graph ${JSON.stringify(name)}`
    for (const [index, answer] of answers.entries()) checkWritten(answer, what(index))
    if (otherwise !== undefined) checkWritten(otherwise, `The other answer of the graph ${JSON.stringify(name)}`)
  }
  return checked
}

/** Writes the scripts of a scenario. */
export function playScenario({ graphs = {}, exports }: Scenario, scripts: Scripts): void {
  for (const [name, graph] of Object.entries(graphs)) {
    const { answers, perThread, repeat, otherwise } = asObject(graph)
    const script = scripts.write(name, answers)
    if (perThread) script.perThread()
    if (repeat) script.repeat()
    if (otherwise !== undefined) script.otherwise(otherwise)
  }
  if (exports === undefined) return
  const script = scripts.writeExports(exports.script ?? [])
  if (exports.repeat) script.repeat()
  if (exports.otherwise !== undefined) script.otherwise(exports.otherwise)
}

function asObject(graph: readonly Answer[] | ScenarioGraph): ScenarioGraph {
  return 'answers' in graph ? graph : { answers: graph }
}
