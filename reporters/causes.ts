import type { Evidence, Exchange, Outcome, RequirementResult } from './model/report.ts'
import { oneLine, plural } from './model/text.ts'
import { isDecisive } from './model/verdict.ts'

/** One cause of a verdict, and how many times it occurred. */
export interface Cause {
  outcome: Outcome
  times: number
}

/** The outcomes that decided the verdict of a requirement. Repeats with the same message on an endpoint are counted. */
export function causes(requirement: RequirementResult): Cause[] {
  const byKey = new Map<string, Cause>()
  for (const outcome of requirement.outcomes) {
    if (!isDecisive(requirement.verdict, outcome.verdict)) continue
    const { endpoint, check, verdict, failure } = outcome
    const key = JSON.stringify([endpoint, check, verdict, failure?.message.slice(0, 1000)])
    const known = byKey.get(key)
    if (known) known.times += 1
    else byKey.set(key, { outcome, times: 1 })
  }
  return [...byKey.values()]
}

/** Groups causes by message, then by message, expected and received values. Ids and times are ignored. */
export function groupCauses(causes: readonly Cause[]): Cause[][][] {
  const byMessage = Map.groupBy(causes, ({ outcome }) => normalized(messageOf(outcome)))
  return [...byMessage.values()].map((group) => [...Map.groupBy(group, ({ outcome }) => failureKey(outcome)).values()])
}

/**
 * What decided an outcome, on one line: `expected X, received Y`, with ids as `{thread_id}`. An outcome that did not fail
 * has its message or its observation.
 */
export function headline(outcome: Outcome, limit = 400): string | undefined {
  const text = differenceOf(outcome, limit)
  return text && oneLine(withNamedIds(text, outcome.evidence), limit)
}

/** The headline with the ids that the server sent. */
export function headlineWithIds(outcome: Outcome, limit: number): string | undefined {
  const text = differenceOf(outcome, limit)
  return text && oneLine(text, limit)
}

function differenceOf({ failure, observation }: Outcome, limit: number): string | undefined {
  if (failure === undefined) return observation
  const { message, expected, received } = failure
  const parts = [message.slice(0, limit * 2)]
  if (received !== undefined && !message.includes('received')) {
    const isExpectation = message.startsWith('expected') || expected === undefined
    parts.push(
      `${isExpectation ? ', ' : `: expected ${expected.slice(0, limit)}, `}received ${received.slice(0, limit * 2)}`,
    )
  }
  return parts.join('')
}

/**
 * How many cases failed, and what they have in common: `fails in 3 of 12 cases, which are all cases
 * with GET /threads/{thread_id}/runs`. It shows whether the cause is always there.
 */
export function failedCases(outcome: Outcome): string | undefined {
  const { exercised = 0, failed = 0, failedResponses, failedCondition } = outcome
  if (failed === 0) return undefined
  if (exercised === 1) return 'fails in the only case'
  const responses = failedResponses === undefined ? '' : ` (in ${plural(failedResponses, 'response')})`
  if (failed === exercised) return `fails in ${exercised === 2 ? 'both' : `all ${exercised}`} cases${responses}`
  const only = failedCondition === undefined ? '' : `, which are all cases ${failedCondition}`
  return `fails in ${failed} of ${exercised} cases${responses}${only}`
}

/** The operation of an exchange, with ids as `{thread_id}`: `GET /threads/{thread_id}/state`. */
function operationOf({ method, url }: Exchange): string {
  const path = URL.parse(url)?.pathname ?? url
  const named = path.replace(
    /([\w-]+)\/(?:[0-9a-f]{8}-[0-9a-f-]{27}|[\w-]{20,})(?=\/|$)/gi,
    (_, collection: string) => {
      return `${collection}/{${idName(collection)}}`
    },
  )
  return `${method} ${named}`
}

/**
 * The credentials that a server treats in another way than it must, in a message: those of a request that must be refused,
 * such as "without `X-API-Key`", or of the user of the development UI, who may see everything.
 */
const credentials =
  /^expected the response to [A-Z]+ \S+ (with.*?(?= to be (?:401|a refusal)\b)|as the user of the development UI(?= to be a 2xx))/

/** Equal for outcomes with the same root cause: the same operation and the same deciding difference. */
export function rootCauseKey(outcome: Outcome): string {
  const { failure, evidence, verdict } = outcome
  const last = evidence?.exchanges.at(-1)
  const operation = last === undefined ? '' : operationOf(last)
  const received = normalized(failure?.received)
  // A server treats the same credentials alike in all operations, and responds with the same status.
  const whose = messageOf(outcome)?.match(credentials)?.[1]
  if (whose !== undefined) return [verdict, whose, received.slice(0, 3)].join('\n')
  // A refused request and an empty object explain all requirements that need their content.
  const object =
    received.endsWith('among no fields') && messageOf(outcome)?.match(/` of (.*?) (?:is|has|contains) /)?.[1]
  const difference = /^[45]\d\d\b/.test(received) ? received : object || failureKey(outcome)
  return [verdict, operation, difference].join('\n')
}

function failureKey(outcome: Outcome): string {
  const { failure } = outcome
  return [messageOf(outcome), failure?.expected, failure?.received].map(normalized).join('\n')
}

function messageOf({ failure, observation }: Outcome): string | undefined {
  return failure?.message ?? observation
}

const uuid = /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/gi

/** A text without ids, times, indexes and what preceded a request, which differ in each run. */
function normalized(text = ''): string {
  return text
    .slice(0, 4000)
    .replace(uuid, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, '<time>')
    .replace(/, \d+ ms after [^,]*$/, '')
    .replace(/\[\d+\]/g, '[]')
}

/** Characters at the end of an id that tell it from others: those that begin with a time begin alike. */
const shortId = 8

/**
 * Replaces ids by the name that the exchanges give them. Different ids with the same name keep their last characters:
 * `{run_id …3f2c2be0}`.
 */
function withNamedIds(text: string, evidence: Evidence | undefined): string {
  const found = new Set(text.match(uuid))
  if (found.size === 0) return text
  const names = new Map<string, string>()
  const add = (id: string, name: string) => found.has(id) && !names.has(id) && names.set(id, name)
  for (const { url, requestBody = '', responseBody = '' } of evidence?.exchanges ?? []) {
    for (const [, collection = '', id = ''] of url.matchAll(/([\w-]+)\/([0-9a-f-]{36})/gi)) add(id, idName(collection))
    for (const [, name = '', id = ''] of `${requestBody}\n${responseBody}`.matchAll(/"(\w*id)": ?"([0-9a-f-]{36})"/gi))
      add(id, name)
  }
  const nameOf = (id: string) => names.get(id) ?? 'id'
  const byName = Map.groupBy(found, nameOf)
  return text.replace(uuid, (id) => {
    const isOnly = byName.get(nameOf(id))?.length === 1
    return isOnly ? `{${nameOf(id)}}` : `{${nameOf(id)} …${id.slice(-shortId)}}`
  })
}

/** @example idName('threads') // 'thread_id' */
function idName(collection: string): string {
  return `${collection.replace(/^bulk-/, '').replace(/s$/, '')}_id`
}
