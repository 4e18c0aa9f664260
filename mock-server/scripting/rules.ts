import { z } from 'zod'
import { contentText } from '../graphs/message.ts'
import type { JsonObject } from '../http/fields.ts'
import { strictObject } from '../http/validation.ts'
import { expectedText, mismatches, textMatcher } from './match.ts'
import type { TextPattern } from './pattern.ts'
import type { Reply, Turn } from './reply.ts'
import { ifNoObject } from './schema.ts'

/** The condition of a rule. All of its parts must be true. */
export interface RuleCondition {
  /** The text of the newest human message is this text, or contains this pattern. */
  readonly text?: string | TextPattern
  /** The thread has this number of human messages, including those of the input. */
  readonly turn?: number
  /** The last messages of the thread are results of tools, and one of them has these fields. */
  readonly toolResult?: ToolResultCondition
  /** The authenticated user has this identity, or these fields. */
  readonly user?: string | JsonObject
  /** `config.configurable` of the run has these fields. */
  readonly configurable?: JsonObject
}

/** The condition of the result of a tool. */
export interface ToolResultCondition {
  /** The name of the tool. */
  readonly name?: string
  /** The text of the tool message is this text, or contains this pattern. */
  readonly text?: string | TextPattern
  readonly status?: 'success' | 'error'
}

/** A rule of a script. */
export interface ScenarioRule {
  readonly when: RuleCondition
  readonly reply: Reply
}

/** The script of a graph in a scenario that chooses each reply by the content of the run. */
export interface ScenarioRules {
  /** Every run gets the reply of the first rule whose condition is true. */
  readonly rules: readonly ScenarioRule[]
  /** The reply of runs without such a rule. @default they fail with the error `NoRuleMatched` */
  readonly otherwise?: Reply
}

const atLeastOne = { error: 'expected a whole number from 1' }

/** The schema of the condition of a rule. */
const condition: z.ZodType<RuleCondition> = strictObject({
  text: expectedText
    .describe('The text of the newest human message: all of it, or a pattern that is searched in it')
    .exactOptional(),
  turn: z.int(atLeastOne).min(1, atLeastOne).describe('The number of human messages of the thread').exactOptional(),
  toolResult: strictObject({
    name: z.string().min(1).describe('The name of the tool').exactOptional(),
    text: expectedText.exactOptional(),
    status: z.enum(['success', 'error']).exactOptional(),
  })
    .describe('The last messages are results of tools, and one of them has these fields')
    .exactOptional(),
  user: z
    .union([z.string().min(1), z.looseObject({})], ifNoObject('expected an identity, or an object of fields'))
    .describe('The identity of the authenticated user, or fields that the user has')
    .exactOptional(),
  configurable: z.looseObject({}).describe('Fields of `config.configurable` of the run').exactOptional(),
})
  .refine((when) => Object.keys(when).length > 0, {
    error: 'expected at least one of text, turn, toolResult, user and configurable ("otherwise" is for any run)',
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ id: 'Condition', minProperties: 1 })

/** Returns the schema of a script with rules, and with this schema of replies. */
export function rulesSchema(reply: z.ZodType): z.ZodType {
  return strictObject({
    rules: z
      .array(strictObject({ when: condition, reply }))
      .min(1, { error: 'expected at least one rule' })
      .describe('Every run gets the reply of the first rule whose condition is true'),
    otherwise: reply.optional().describe('The reply of runs without such a rule'),
  })
}

/** Returns the reply of a script with rules: a function that chooses the reply of a run. */
export function replyByRules(graph: string, { rules, otherwise }: ScenarioRules): (turn: Turn) => Reply {
  const matchers = rules.map(({ when, reply }) => ({ matches: matcher(when), reply }))
  return (turn) => {
    const run = contentOf(turn)
    const rule = matchers.find(({ matches }) => matches(run))
    return rule?.reply ?? otherwise ?? noRuleMatched(graph, rules, run)
  }
}

/** The parts of a run that the conditions of rules compare. */
interface RunContent {
  readonly text: string
  readonly turn: number
  readonly toolResults: readonly { readonly name: string | null; readonly text: string; readonly status: string }[]
  readonly user: Readonly<JsonObject> | undefined
  readonly configurable: Readonly<JsonObject>
}

function contentOf({ text, state: { messages }, user, config }: Turn): RunContent {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls)
  const results = messages.slice(messages.findLastIndex(({ type }) => type !== 'tool') + 1)
  return {
    text,
    turn: messages.filter(({ type }) => type === 'human').length,
    toolResults: results.map((message) => ({
      // Clients often leave out the name.
      name: message.name ?? calls.find(({ id }) => id === message.tool_call_id)?.name ?? null,
      text: contentText(message.content),
      status: message.status ?? 'success',
    })),
    user,
    configurable: config.configurable,
  }
}

function matcher({ text, turn, toolResult, user, configurable }: RuleCondition): (run: RunContent) => boolean {
  const hasText = textMatcher(text)
  const hasToolText = textMatcher(toolResult?.text)
  const isResult = ({ name, text, status }: RunContent['toolResults'][number]): boolean =>
    (toolResult?.name ?? name) === name && (toolResult?.status ?? status) === status && hasToolText(text)
  const userFields = typeof user === 'string' ? { identity: user } : user
  return (run) =>
    hasText(run.text) &&
    (turn ?? run.turn) === run.turn &&
    (toolResult === undefined || run.toolResults.some(isResult)) &&
    (userFields === undefined || contains(run.user, userFields)) &&
    (configurable === undefined || contains(run.configurable, configurable))
}

/** Whether a JSON value is the expected one; objects may have more fields. */
function contains(value: unknown, expected: unknown): boolean {
  return mismatches(value, expected).length === 0
}

const MAX_TEXT_LENGTH = 500
const MAX_SHOWN_RULES = 20

function noRuleMatched(graph: string, rules: readonly ScenarioRule[], run: RunContent): Reply {
  const shown = rules
    .slice(0, MAX_SHOWN_RULES)
    .map(({ when }, index) => `${index + 1}. ${shortened(JSON.stringify(when))}`)
  if (rules.length > MAX_SHOWN_RULES) shown.push(`and ${rules.length - MAX_SHOWN_RULES} more`)
  const message = [
    `No rule of the graph ${JSON.stringify(graph)} matches the run ${JSON.stringify(relevant(run, rules))}.`,
    `The rules are: ${shown.join('; ')}.`,
    'Add a rule, or set "otherwise".',
  ]
  return { fail: { error: 'NoRuleMatched', message: message.join(' ') } }
}

/** Returns the text and the turn of a run, and the other parts that the rules compare. */
function relevant(
  { text, turn, toolResults, user, configurable }: RunContent,
  rules: readonly ScenarioRule[],
): JsonObject {
  const isUsed = (part: keyof RuleCondition): boolean => rules.some(({ when }) => when[part] !== undefined)
  const keys = new Set(rules.flatMap(({ when }) => Object.keys(when.configurable ?? {})))
  return {
    text: shortened(text),
    turn,
    ...(isUsed('toolResult') && {
      toolResult: toolResults.map((result) => ({ ...result, text: shortened(result.text) })),
    }),
    ...(isUsed('user') && { user: user?.['identity'] ?? null }),
    ...(isUsed('configurable') && {
      configurable: Object.fromEntries(Object.entries(configurable).filter(([key]) => keys.has(key))),
    }),
  }
}

function shortened(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text
}
