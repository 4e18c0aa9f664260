import { expect, test } from 'vitest'
import type { ReportRow } from '../../reporters/model/report.ts'
import { counts, type Scope, summarise, verdictOrder, worst } from '../../reporters/model/verdict.ts'
import { levelled, outcome, row, rows } from './example-report.ts'

const held = row('a.held', 'pass')
const judge = (more: ReportRow[], scope: Scope = {}) => summarise([held, ...more], [], [], scope)

test('the worst verdict of a row is what its endpoints and repeats come to', () => {
  expect(worst(['pass', 'fail', 'warn'])).toBe('fail')
  expect(worst(['pass', 'expected-fail'])).toBe('expected-fail')
  expect(worst(['not-applicable', 'pass'])).toBe('pass')
  expect(worst(['pass', 'could-not-run'])).toBe('could-not-run')
})

test('our own fault on one endpoint hides no failure on another, and never reads as a pass', () => {
  expect(worst(['harness-error', 'fail'])).toBe('fail')
  expect(worst(['harness-error', 'flaky'])).toBe('flaky')
  expect(worst(['harness-error', 'could-not-run', 'pass'])).toBe('harness-error')
})

test('a row of which nothing was seen could not run', () => {
  expect(worst([])).toBe('could-not-run')
})

test('counts names every verdict', () => {
  expect(Object.keys(counts([]))).toEqual(verdictOrder)
  expect(counts(rows)).toMatchObject({ fail: 2, 'could-not-run': 2, pass: 1, excluded: 1 })
})

test('all that was judged holds: conformant', () => {
  const other = row('a.other', 'pass', { outcomes: [outcome('pass', { endpoint: 'custom-auth' })] })
  expect(judge([other])).toEqual({
    result: 'conformant',
    sentence: 'conformant: 2 of 2 judged requirements hold (open, custom-auth)',
    exitCode: 0,
  })
})

test('known failures, accepted gaps and advised points are named and change no exit code', () => {
  const verdict = judge([
    levelled('MUST', 'expected-fail'),
    levelled('MUST', 'could-not-run', { accepted: true }),
    levelled('SHOULD', 'blocked', { accepted: true }),
    levelled('SHOULD', 'warn'),
    levelled('MAY', 'could-not-run'),
    levelled('OPEN', 'observed'),
    levelled('MUST', 'not-applicable'),
    levelled('MUST', 'excluded'),
  ])
  expect(verdict.exitCode).toBe(0)
  expect(verdict.sentence).toBe(
    'conformant: 1 of 3 judged requirements holds (open), 1 known failure in the baseline, 2 accepted gaps, 1 advised point not met',
  )
})

test('a MUST that fails, or is flaky, is exit code 1', () => {
  expect(judge([levelled('MUST', 'fail'), levelled('MUST', 'flaky')])).toEqual({
    result: 'non-conformant',
    sentence: 'NOT met: 2 of 3 judged requirements fail (open), 1 of them flaky',
    exitCode: 1,
  })
})

test('acceptance excuses no failure and no fault of ours', () => {
  expect(judge([levelled('MUST', 'fail', { accepted: true })]).exitCode).toBe(1)
  expect(judge([levelled('MUST', 'harness-error', { accepted: true })]).exitCode).toBe(2)
})

test('a stale baseline entry is exit code 1', () => {
  const verdict = summarise([held], [{ id: 'a.held', reason: 'it passes now' }], [])
  expect(verdict).toMatchObject({ result: 'non-conformant', exitCode: 1 })
  expect(verdict.sentence).toBe('NOT met: 1 of 1 judged requirement holds (open), 1 stale baseline entry')
})

test('a fault or problem of ours is exit code 2', () => {
  expect(judge([levelled('MAY', 'harness-error')])).toMatchObject({ result: 'harness-error', exitCode: 2 })
  expect(summarise([], [], ['nothing listens at http://127.0.0.1:1'])).toEqual({
    result: 'harness-error',
    sentence: 'harness error: no requirement was judged, 1 problem of the run',
    exitCode: 2,
  })
})

test('a real failure stays visible beside a fault of ours', () => {
  const verdict = judge([levelled('MUST', 'harness-error'), levelled('MUST', 'fail')])
  expect(verdict.exitCode).toBe(1)
  expect(verdict.sentence).toBe('NOT met: 1 of 2 judged requirements fails (open), 1 met a fault of the suite')
})

test('a MUST or SHOULD that was not judged makes the run incomplete', () => {
  expect(judge([levelled('MUST', 'could-not-run'), levelled('SHOULD', 'blocked')])).toEqual({
    result: 'incomplete',
    sentence: 'incomplete: 1 of 1 judged requirement holds (open), 1 could not run, 1 blocked',
    exitCode: 3,
  })
})

test('nothing judged, or nothing that holds, is never green', () => {
  expect(summarise([], [], [])).toMatchObject({ exitCode: 3, sentence: 'incomplete: no requirement was judged' })
  expect(summarise([levelled('OPEN', 'observed')], [], []).exitCode).toBe(3)
  expect(summarise([levelled('MUST', 'expected-fail'), levelled('SHOULD', 'warn')], [], []).exitCode).toBe(3)
})

test('a run that ended early is incomplete', () => {
  expect(judge([], { interrupted: 'SIGINT' })).toMatchObject({
    exitCode: 3,
    sentence: 'incomplete: 1 of 1 judged requirement holds (open), interrupted (SIGINT)',
  })
})

test('a part is judged on what was selected, and the sentence says so', () => {
  expect(judge([], { shard: '1/2', selection: '--area A' })).toMatchObject({
    exitCode: 0,
    sentence: 'conformant on what was selected (shard 1/2; --area A): 1 of 1 judged requirement holds (open)',
  })
})

test('only exit code 0 says conformant', () => {
  for (const verdict of verdictOrder) {
    const { exitCode, sentence } = judge([levelled('MUST', verdict)])
    expect(sentence.includes('conformant')).toBe(exitCode === 0)
    expect(sentence).not.toContain('%')
  }
})
