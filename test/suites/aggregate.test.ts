import { expect, test } from 'vitest'
import type { Verdict } from '../../reporters/model/report.ts'
import { must, section } from '../../suites/catalog/requirement.ts'
import type { Decision } from '../../suites/harness/run-check.ts'
import { aggregate } from '../../suites/runner/aggregate.ts'

const rows = section('deployment', 'Thread', [must('thread.create.fresh-id', 'Every thread gets an id of its own.')])
const guarded = section('deployment', 'Auth', [must('auth.x', 'A statement.', { profile: 'custom-auth' })])
const decision = (verdict: Verdict, endpoint = 'open', check = 'fresh ids'): Decision => ({
  row: 'thread.create.fresh-id',
  endpoint,
  check,
  verdict,
  durationMs: 1,
})

test('the worst verdict over the endpoints stands', () => {
  const [row] = aggregate(rows, [decision('pass'), decision('fail', 'custom-auth')], ['open', 'custom-auth'])

  expect(row?.verdict).toBe('fail')
  expect(row?.outcomes.map(({ endpoint, verdict }) => [endpoint, verdict])).toEqual([
    ['open', 'pass'],
    ['custom-auth', 'fail'],
  ])
})

test('a check whose verdict differs under repetition is flaky', () => {
  expect(aggregate(rows, [decision('pass'), decision('fail'), decision('pass')], ['open'])[0]?.verdict).toBe('flaky')
})

test('a failure that another check met is a failure, not a flip', () => {
  expect(aggregate(rows, [decision('pass'), decision('fail', 'open', 'of another')], ['open'])[0]?.verdict).toBe('fail')
})

test('a row that nothing decided could not run', () => {
  expect(aggregate(rows, [], ['open'])[0]?.verdict).toBe('inconclusive')
})

test('a row of an endpoint that the target does not have is not applicable', () => {
  expect(aggregate(guarded, [], ['open'])[0]).toMatchObject({ verdict: 'not-applicable' })
})

test('an accepted gap carries its reason; a failure is never accepted', () => {
  const accept = { 'thread.*': 'no threads here' }

  expect(aggregate(rows, [decision('inconclusive')], ['open'], accept)[0]).toMatchObject({
    accepted: true,
    reason: 'no threads here',
  })
  expect(aggregate(rows, [decision('fail')], ['open'], accept)[0]).not.toHaveProperty('accepted')
})
