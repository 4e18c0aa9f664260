import { z } from 'zod'
import { isObject } from '../http/fields.ts'
import { describeIssues, strictObject } from '../http/validation.ts'
import { type Reply, type ReplyIssue, scriptedReplyIssue } from './reply.ts'
import { rulesSchema, type ScenarioRules } from './rules.ts'

/** The script of a graph in a scenario. */
export interface ScenarioGraph {
  readonly replies: readonly Reply[]
  /** Whether every thread starts at the first reply. By default, all threads share the replies. @default false */
  readonly perThread?: boolean
  /** Whether to start again at the first reply when all are taken. @default false */
  readonly repeat?: boolean
  /** The reply of every run for which no reply remains. */
  readonly otherwise?: Reply
}

/** The script of a graph in the format of scenarios: replies, or an object with replies or rules. */
export type GraphScript = readonly Reply[] | ScenarioGraph | ScenarioRules

/** Returns the schemas of a script with this schema of replies. */
function scriptSchemas(reply: z.ZodType) {
  return {
    list: z.array(reply),
    rules: rulesSchema(reply),
    object: strictObject({
      replies: z.array(reply).describe('Every run takes the next reply'),
      perThread: z.boolean().describe('Whether every thread starts at the first reply').optional(),
      repeat: z.boolean().describe('Whether to start again at the first reply when all are taken').optional(),
      otherwise: reply.optional().describe('The reply of every run for which no reply remains'),
    }),
  }
}

/** Returns the schema of the script of a graph in files. */
export function graphScriptSchema(reply: z.ZodType): z.ZodType {
  const { list, object, rules } = scriptSchemas(reply)
  return z.union([list, object, rules])
}

// Replies are validated one by one, because the errors of a union are hard to read.
const anyReply = z.custom((value) => value !== undefined, { error: 'expected a reply' })
const { list, object, rules } = scriptSchemas(anyReply)
const neither = z.never({ error: 'expected an array of replies, or an object with "replies" or "rules"' })

/** Returns the problems of the script of a graph, except those of its replies. */
export function scriptIssues(value: unknown): readonly z.core.$ZodIssue[] {
  return schemaFor(value).safeParse(value).error?.issues ?? []
}

function schemaFor(value: unknown): z.ZodType {
  if (Array.isArray(value)) return list
  if (!isObject(value)) return neither
  return 'rules' in value ? rules : object
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
  if (isReplyList(script)) return script.map((reply, index) => ({ reply, path: [index], name: `Reply ${index + 1}` }))
  const { otherwise } = script
  const placed =
    'rules' in script
      ? script.rules.map(({ reply }, index) => {
          return { reply, path: ['rules', index, 'reply'], name: `The reply of rule ${index + 1}` }
        })
      : script.replies.map((reply, index) => {
          return { reply, path: ['replies', index], name: `Reply ${index + 1}` }
        })
  return otherwise === undefined
    ? placed
    : [...placed, { reply: otherwise, path: ['otherwise'], name: 'The reply "otherwise"' }]
}

/** Whether a script is a list of replies. */
export function isReplyList(script: GraphScript): script is readonly Reply[] {
  return Array.isArray(script)
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
