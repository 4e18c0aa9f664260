import { expect, test } from 'vitest'
import type { Verdict } from '../../reporters/model/report.ts'
import { must, section } from '../../suites/catalog/requirement.ts'
import { aggregate } from '../../suites/evaluate/aggregate.ts'
import type { Decision } from '../../suites/evaluate/decisions.ts'

const rows = section('deployment', 'Thread', [must('thread.create.fresh-id', 'Every thread gets an id of its own.')])
const guarded = section('deployment', 'Auth', [must('auth.x', 'A statement.', { profile: 'custom-auth' })])
const decision = (verdict: Verdict, endpoint = 'open', check = 'fresh ids'): Decision => ({
  requirement: 'thread.create.fresh-id',
  endpoint,
  check,
  verdict,
  durationMs: 1,
})

test('a requirement gets the worst of its verdicts on all endpoints', () => {
  const [row] = aggregate(rows, [decision('pass'), decision('fail', 'custom-auth')], ['open', 'custom-auth'])

  expect(row?.verdict).toBe('fail')
  expect(row?.outcomes.map(({ endpoint, verdict }) => [endpoint, verdict])).toEqual([
    ['open', 'pass'],
    ['custom-auth', 'fail'],
  ])
})

test('a requirement that is flaky on one endpoint and fails on another has the evidence of both', () => {
  const evidence = { exchanges: [] }
  const decisions = [
    { ...decision('flaky'), evidence },
    { ...decision('fail', 'custom-auth'), evidence },
  ]

  const [row] = aggregate(rows, decisions, ['open', 'custom-auth'])

  expect(row?.outcomes.map((outcome) => outcome.evidence)).toEqual([evidence, evidence])
})

test('a requirement without a decision is inconclusive', () => {
  expect(aggregate(rows, [], ['open'])[0]?.verdict).toBe('inconclusive')
})

test('a requirement of a profile that the target does not have is not applicable', () => {
  expect(aggregate(guarded, [], ['open'])[0]).toMatchObject({ verdict: 'not-applicable' })
})

test('an accepted gap has its reason, and a failure is never accepted', () => {
  const accept = { 'thread.*': 'no threads here' }

  expect(aggregate(rows, [decision('inconclusive')], ['open'], accept)[0]).toMatchObject({
    accepted: true,
    reason: 'no threads here',
  })
  expect(aggregate(rows, [decision('fail')], ['open'], accept)[0]).not.toHaveProperty('accepted')
})
