import { z } from 'zod'
import { describeIssues, strictObject } from '../http/validation.ts'
import { type ScriptedExport, scriptedExport } from './exports.ts'
import { type GraphScript, graphScriptSchema, repliesOf, scriptIssues } from './graph-script.ts'
import { type Recording, recordingSchema } from './recording.ts'
import { checkScriptedReply } from './reply.ts'
import { steps, subgraphWith } from './schema.ts'
import type { PlayedScripts } from './scripts.ts'

/** A scenario: the scripts of a server's graphs and exports, or a recording, as a file or an option. */
export interface Scenario {
  readonly $schema?: string
  /** The scripts of graphs by name: replies, or an object with replies. */
  readonly graphs?: Readonly<Record<string, GraphScript>>
  readonly exports?: ScenarioExports
  /** Responds as a recorded server did. Cannot be combined with `graphs` and `exports`. */
  readonly recording?: Recording
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

const text = z.string().describe('Sends a message of type `ai`')
const { subgraph: _, ...others } = steps
const subgraph = subgraphWith(z.lazy(() => part))
const step = z.union([...Object.values(others), subgraph]).meta({ id: 'Step' })
const part: z.ZodType = z.union([text, step])

/** A reply that a file can contain. */
const fileReply: z.ZodType = z.union([text, step, z.array(part).min(1)]).meta({ id: 'Reply' })

const exports = strictObject({
  bucket: z.enum(['s3', 'memory']).describe('Store of exported files').optional(),
  script: z.array(scriptedExport).describe('Outcomes; every export takes the next one').optional(),
  repeat: z.boolean().describe('Starts again at the first outcome after the last').optional(),
  otherwise: scriptedExport.optional().describe('Outcome of exports after the last'),
})

/** Returns the schema of a scenario with this schema of graph scripts. */
function scenarioWith(graphScript: z.ZodType): z.ZodType {
  return strictObject({
    $schema: z.string().optional(),
    graphs: z.record(z.string().min(1), graphScript).describe('The scripts of graphs, by name').optional(),
    exports: exports.optional(),
    recording: recordingSchema.optional(),
  }).refine(({ graphs, exports, recording }) => recording === undefined || (graphs ?? exports) === undefined, {
    error: 'expected either "recording" or "graphs" and "exports"',
  })
}

/** The schema of scenario files. */
const scenarioFile: z.ZodType = scenarioWith(graphScriptSchema(fileReply))

const scenario: z.ZodType = scenarioWith(z.unknown())

/** Validates a scenario. Throws a TypeError for an invalid one. */
export function checkScenario(value: unknown): Scenario {
  const issues = describeIssues(scenarioIssues(value), value, 'The scenario')
  if (issues.length > 0) throw new TypeError(issues.map(({ sentence }) => sentence).join('; '))
  const checked = value as Scenario
  for (const [graph, script] of Object.entries(checked.graphs ?? {})) {
    for (const { reply, name } of repliesOf(script)) {
      checkScriptedReply(reply, `${name} of the graph ${JSON.stringify(graph)}`)
    }
  }
  return checked
}

/** Returns the problems of a scenario, except those of replies. */
function scenarioIssues(value: unknown): readonly z.core.$ZodIssue[] {
  const { success, error } = scenario.safeParse(value)
  if (!success) return error.issues
  const { graphs = {} } = value as Scenario
  return Object.entries(graphs).flatMap(([name, script]) =>
    scriptIssues(script).map((issue) => ({ ...issue, path: ['graphs', name, ...issue.path] })),
  )
}

/** Writes the scripts of a scenario. */
export function applyScenario({ graphs = {}, exports }: Scenario, scripts: PlayedScripts): void {
  for (const [name, script] of Object.entries(graphs)) scripts.set(name, script)
  if (exports === undefined) return
  const script = scripts.writeExports(exports.script ?? [])
  if (exports.repeat) script.repeat()
  if (exports.otherwise !== undefined) script.otherwise(exports.otherwise)
}

/** Returns the text of `scenario.schema.json`, the JSON Schema (draft 2020-12) of a scenario file. */
export function scenarioJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(scenarioFile, { target: 'draft-2020-12', io: 'input' })
  const head = { $schema, $id: 'urn:touchstone:scenario:1', title: 'Touchstone scenario', description }
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`
}

const description =
  'Replies of the graphs of a mock server, and outcomes of its exports: see docs/guides/script-graphs.md.'
