import leven from 'leven'
import { checked } from '../../http/validation.ts'
import { isMatcher } from '../../scripting/match.ts'
import type { Exchange } from '../journal/exchange.ts'
import { differencesOf } from './compare-call.ts'
import { boundsOf, type ExpectedCall, type Verification, verification } from './expected-call.ts'
import { orderProblem } from './order.ts'

/** The error of requests that are not the expected ones. The message shows both, the nearest request and what differs. */
export class VerificationError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'VerificationError'
  }
}

const MOST_SHOWN = 10
const LONGEST = 300

/** Throws a VerificationError unless the requests are as expected, and a TypeError for an invalid verification. */
export function verifyCalls(exchanges: readonly Exchange[], expected: Verification): void {
  checked(verification, expected, 'The verification')
  const { calls, inOrder = false, nothingElse = false } = expected
  const matching = new Map(
    calls.map((call) => [call, exchanges.filter((exchange) => differencesOf(exchange, call).length === 0)]),
  )
  const known = new Set([...matching.values()].flat())
  const others = exchanges.filter((exchange) => !known.has(exchange))
  const problems = [
    ...(inOrder
      ? orderProblems(
          exchanges.filter((exchange) => known.has(exchange)),
          calls,
          matching,
        )
      : calls.flatMap((call) => countProblems(matching.get(call) ?? [], call))),
    ...(nothingElse && others.length > 0
      ? [`Expected no other requests, received ${others.length}:\n${list(others)}`]
      : []),
  ]
  if (problems.length === 0) return
  const missing = calls.filter((call) => (matching.get(call)?.length ?? 0) < boundsOf(call).min)
  throw new VerificationError([...problems, ...missing.map((call) => nearest(others, call))].join('\n'))
}

function countProblems(received: readonly Exchange[], call: ExpectedCall): string[] {
  const { min, max } = boundsOf(call)
  if (received.length >= min && received.length <= max) return []
  const calls = received.length === 0 ? '' : `:\n${list(received)}`
  return [`Expected ${describe(call)}, received ${received.length}${calls}`]
}

function orderProblems(
  exchanges: readonly Exchange[],
  calls: readonly ExpectedCall[],
  matching: ReadonlyMap<ExpectedCall, readonly Exchange[]>,
): string[] {
  const ordered = calls.map((call) => ({
    ...boundsOf(call),
    matches: (exchange: Exchange) => matching.get(call)?.includes(exchange) ?? false,
  }))
  const problem = orderProblem(exchanges, ordered)
  if (problem === undefined) return []
  const next = calls[problem.expected]
  const expected = next === undefined ? 'no more of these requests' : describe(next)
  const instead = problem.received === undefined ? 'no more of them' : shortOf(problem.received)
  return [
    `Expected in this order:\n${calls.map((call) => `  ${describe(call)}\n`).join('')}` +
      `Received:\n${list(exchanges)}\nExpected ${expected}, received ${instead}`,
  ]
}

/** Returns the request that differs least from an expected one, and what differs. */
function nearest(exchanges: readonly Exchange[], call: ExpectedCall): string {
  const ranked = exchanges.map((exchange) => {
    const differences = differencesOf(exchange, call)
    const isOtherRoute = differences.some(({ field }) => field === 'route')
    // Another route counts more than any field.
    const distance = differences.length + (isOtherRoute ? 1000 * leven(exchange.route, call.route ?? '') : 0)
    return { exchange, differences, distance }
  })
  const [best] = ranked.toSorted((one, other) => one.distance - other.distance)
  if (best === undefined) return exchanges.length === 0 ? 'There were no other requests.' : ''
  const lines = best.differences
    .slice(0, MOST_SHOWN)
    .map(({ field, expected, received }) => `  ${field}: expected ${shown(expected)}, received ${shown(received)}`)
  return [`The nearest other request is ${shortOf(best.exchange)}:`, ...lines].join('\n')
}

/** Describes an expected request, with how often it must come. */
function describe(call: ExpectedCall): string {
  const { route, times: _times, ...conditions } = call
  const { min, max } = boundsOf(call)
  const number = min === max ? `${min}` : max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`
  const noun = (Number.isFinite(max) ? max : min) === 1 ? 'request' : 'requests'
  const rest = Object.keys(conditions).length === 0 ? '' : ` with ${shown(conditions)}`
  return `${number} ${noun}${route === undefined ? '' : ` ${route}`}${rest}`
}

function list(exchanges: readonly Exchange[]): string {
  const lines = exchanges.slice(0, MOST_SHOWN).map((exchange) => `  ${shortOf(exchange)}`)
  if (exchanges.length > MOST_SHOWN) lines.push(`  and ${exchanges.length - MOST_SHOWN} more`)
  return lines.join('\n')
}

function shortOf({ id, route, status, state }: Exchange): string {
  return `request ${id}, ${route} (${status ?? state})`
}

function shown(value: unknown): string {
  const text =
    value === undefined ? 'nothing' : JSON.stringify(value, (_, item) => (isMatcher(item) ? `${item}` : item))
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
