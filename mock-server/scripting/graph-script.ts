import { z } from 'zod'
import { isObject } from '../http/fields.ts'
import { describeIssues, strictObject } from '../http/validation.ts'
import { type Reply, type ReplyIssue, scriptedReplyIssue } from './reply.ts'

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

/** The script of a graph in the format of scenarios: replies, or an object with replies. */
export type GraphScript = readonly Reply[] | ScenarioGraph

/** Returns the schemas of a script with this schema of replies. */
function scriptSchemas(reply: z.ZodType): { readonly list: z.ZodType; readonly object: z.ZodType } {
  return {
    list: z.array(reply),
    object: strictObject({
      replies: z.array(reply).describe('Every run takes the next reply'),
      perThread: z.boolean().describe('Gives every thread all replies from the first on').optional(),
      repeat: z.boolean().describe('Starts again at the first reply after the last').optional(),
      otherwise: reply.optional().describe('The reply after the last'),
    }),
  }
}

/** Returns the schema of the script of a graph in files. */
export function graphScriptSchema(reply: z.ZodType): z.ZodType {
  const { list, object } = scriptSchemas(reply)
  return z.union([list, object])
}

// Replies are validated one by one, because the errors of a union are hard to read.
const { list, object } = scriptSchemas(z.unknown())
const neither = z.never({ error: 'expected an array of replies, or an object with "replies"' })

/** Returns the problems of the script of a graph, except those of its replies. */
export function scriptIssues(value: unknown): readonly z.core.$ZodIssue[] {
  const schema = Array.isArray(value) ? list : isObject(value) ? object : neither
  return schema.safeParse(value).error?.issues ?? []
}

/** A reply of a script, and its place. */
interface PlacedReply {
  readonly reply: Reply
  /** The path in the JSON of the script. */
  readonly path: readonly PropertyKey[]
  /** The place in words, such as `Reply 2`. */
  readonly name: string
}

/** Returns all replies of a script. */
export function repliesOf(script: GraphScript): readonly PlacedReply[] {
  const { replies, otherwise } = asObject(script)
  const start = 'replies' in script ? ['replies'] : []
  return [
    ...replies.map((reply, index) => ({ reply, path: [...start, index], name: `Reply ${index + 1}` })),
    ...(otherwise === undefined ? [] : [{ reply: otherwise, path: ['otherwise'], name: 'The reply "otherwise"' }]),
  ]
}

/** Returns a script as an object. */
export function asObject(script: GraphScript): ScenarioGraph {
  return 'replies' in script ? script : { replies: script }
}

/** Validates the script of a graph. Throws a TypeError with the paths of invalid values. */
export function checkGraphScript(value: unknown): GraphScript {
  const issues = describeIssues(scriptIssues(value), value, 'The script')
  if (issues.length > 0) throw new TypeError(issues.map(({ sentence }) => sentence).join('; '))
  const script = value as GraphScript
  for (const { reply, path } of repliesOf(script)) {
    const issue = scriptedReplyIssue(reply, 'a text or an object')
    if (issue !== undefined) throw new TypeError(withPath(issue, path))
  }
  return script
}

function withPath({ step, path, message }: ReplyIssue, start: readonly PropertyKey[]): string {
  const whole = [...start, ...(step === undefined ? [] : [step]), ...path]
  return `Field ${JSON.stringify(whole.map(String).join('.'))}: ${message}`
}
