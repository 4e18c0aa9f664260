import { expect, test } from 'vitest'
import type { RequirementResult, Verdict } from '../../reporters/model/report.ts'
import { applyBaseline, parseBaseline } from '../../suites/evaluate/baseline.ts'

const row = (id: string, verdict: Verdict): RequirementResult => ({
  id,
  area: 'deployment',
  section: 'Thread',
  level: 'MUST',
  statement: 'A statement.',
  coverage: 'tested',
  verdict,
  outcomes: [],
})
const today = '2026-11-21'

test('a known failure becomes an expected failure with its reason', () => {
  const { results, stale } = applyBaseline([row('a.b', 'fail')], { 'a.b': { reason: 'see #7' } }, today)

  expect(results[0]).toMatchObject({ verdict: 'expected-fail', reason: 'see #7' })
  expect(stale).toEqual([])
})

test('an entry whose requirement passes is stale', () => {
  const { stale } = applyBaseline([row('a.b', 'pass')], { 'a.b': { reason: 'see #7' } }, today)

  expect(stale).toEqual([{ id: 'a.b', reason: 'the requirement passes now; remove the entry (see #7)' }])
})

test('an intermittent entry may pass', () => {
  const { results, stale } = applyBaseline(
    [row('a.b', 'pass')],
    { 'a.b': { reason: 'races', intermittent: true } },
    today,
  )

  expect(results[0]?.verdict).toBe('pass')
  expect(stale).toEqual([])
})

test('an expired entry no longer excuses a failure', () => {
  const entry = { reason: 'see #7', expires: '2026-11-20' }
  const { results, stale } = applyBaseline([row('a.b', 'fail')], { 'a.b': entry }, today)

  expect(results[0]?.verdict).toBe('fail')
  expect(stale).toEqual([{ id: 'a.b', reason: 'the entry expired on 2026-11-20; remove or renew it (see #7)' }])
})

test('an entry is valid on its last day', () => {
  const entry = { reason: 'see #7', expires: today }

  expect(applyBaseline([row('a.b', 'fail')], { 'a.b': entry }, today).results[0]?.verdict).toBe('expected-fail')
})

test.each([
  ['{', /expected JSON in known\.json, received invalid JSON/],
  ['[]', /known\.json is not a valid baseline/],
  ['{"a.b": {}}', /reason/],
  ['{"a.b": {"reason": "x", "expires": "soon"}}', /expires/],
  ['{"a.c": {"reason": "x"}}', /expected ids of requirements, received a\.c\. Did you mean a\.b\?/],
])('the baseline %s is refused with its fault', (text, message) => {
  expect(() => parseBaseline(text, 'known.json', new Set(['a.b']))).toThrow(message)
})
