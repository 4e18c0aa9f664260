import { z } from 'zod'
import { describeIssues, strictObject } from '../http/validation.ts'
import { type ScriptedExport, scriptedExport } from './exports.ts'
import { checkScriptedReply, type Reply } from './reply.ts'
import { steps } from './schema.ts'
import type { Scripts } from './scripts.ts'

/** A scenario: the scripts of a server's graphs and exports, as a file or an option. */
export interface Scenario {
  readonly $schema?: string
  /** The scripts of graphs by name: replies, or an object with replies. */
  readonly graphs?: Readonly<Record<string, readonly Reply[] | ScenarioGraph>>
  readonly exports?: ScenarioExports
}

/** The script of exports in a scenario. */
export interface ScenarioExports {
  /** The store of exported files. The option `export.bucket` of the server takes precedence. @default 's3' */
  readonly bucket?: 's3' | 'memory'
  /** Every export takes the next outcome. Further exports run normally. */
  readonly script?: readonly ScriptedExport[]
  /** Starts again at the first outcome after the last. @default false */
  readonly repeat?: boolean
  /** Sets the outcome of exports after the last. */
  readonly otherwise?: ScriptedExport
}

/** The script of a graph in a scenario. */
export interface ScenarioGraph {
  readonly replies: readonly Reply[]
  /** Gives every thread all replies from the first on. @default false */
  readonly perThread?: boolean
  /** Starts again at the first reply after the last. @default false */
  readonly repeat?: boolean
  /** The reply after the last. */
  readonly otherwise?: Reply
}

const step = z.union(Object.values(steps)).meta({ id: 'Step' })
const text = z.string().describe('Sends a message of type `ai`')

/** A reply that a file can contain. */
const fileReply: z.ZodType = z.union([text, step, z.array(z.union([text, step])).min(1)]).meta({ id: 'Reply' })

const exports = strictObject({
  bucket: z.enum(['s3', 'memory']).describe('Store of exported files').optional(),
  script: z.array(scriptedExport).describe('Outcomes; every export takes the next one').optional(),
  repeat: z.boolean().describe('Starts again at the first outcome after the last').optional(),
  otherwise: scriptedExport.optional().describe('Outcome of exports after the last'),
})

/** Returns the schema of a scenario with this schema of replies. */
function scenarioWith(reply: z.ZodType): z.ZodType {
  const graph = strictObject({
    replies: z.array(reply).describe('Every run takes the next reply'),
    perThread: z.boolean().describe('Gives every thread all replies from the first on').optional(),
    repeat: z.boolean().describe('Starts again at the first reply after the last').optional(),
    otherwise: reply.optional().describe('The reply after the last'),
  })
  return strictObject({
    $schema: z.string().optional(),
    graphs: z
      .record(
        z.string().min(1),
        z.union([z.array(reply), graph], { error: 'expected an array of replies, or an object with "replies"' }),
      )
      .describe('The scripts of graphs, by name')
      .optional(),
    exports: exports.optional(),
  })
}

/** The schema of scenario files. */
const scenarioFile: z.ZodType = scenarioWith(fileReply)

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
    const { replies, otherwise } = asObject(graph)
    const what = (index: number): string => `Reply ${index + 1} of the graph ${JSON.stringify(name)}`
    for (const [index, reply] of replies.entries()) checkScriptedReply(reply, what(index))
    if (otherwise !== undefined)
      checkScriptedReply(otherwise, `The reply "otherwise" of the graph ${JSON.stringify(name)}`)
  }
  return checked
}

/** Writes the scripts of a scenario. */
export function applyScenario({ graphs = {}, exports }: Scenario, scripts: Scripts): void {
  for (const [name, graph] of Object.entries(graphs)) {
    const { replies, perThread, repeat, otherwise } = asObject(graph)
    const script = scripts.write(name, replies)
    if (perThread) script.perThread()
    if (repeat) script.repeat()
    if (otherwise !== undefined) script.otherwise(otherwise)
  }
  if (exports === undefined) return
  const script = scripts.writeExports(exports.script ?? [])
  if (exports.repeat) script.repeat()
  if (exports.otherwise !== undefined) script.otherwise(exports.otherwise)
}

function asObject(graph: readonly Reply[] | ScenarioGraph): ScenarioGraph {
  return 'replies' in graph ? graph : { replies: graph }
}

/** Returns the text of `scenario.schema.json`, the JSON Schema (draft 2020-12) of a scenario file. */
export function scenarioJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(scenarioFile, { target: 'draft-2020-12', io: 'input' })
  const head = { $schema, $id: 'urn:touchstone:scenario:1', title: 'Touchstone scenario', description }
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`
}

const description =
  'Replies of the graphs of a mock server, and outcomes of its exports: see docs/guides/script-graphs.md.'
