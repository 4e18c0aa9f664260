import { expect, test } from 'vitest'
import type { RequirementResult } from '../../reporters/model/report.ts'
import { counts, type Scope, summarize, verdictOrder, worst } from '../../reporters/model/verdict.ts'
import { levelled, outcome, row, rows } from './example-report.ts'

const held = row('a.held', 'pass')
const judge = (more: RequirementResult[], scope: Scope = {}) => summarize([held, ...more], [], [], scope)

test('the worst verdict of a row is what its endpoints and repeats come to', () => {
  expect(worst(['pass', 'fail', 'warning'])).toBe('fail')
  expect(worst(['pass', 'expected-fail'])).toBe('expected-fail')
  expect(worst(['not-applicable', 'pass'])).toBe('pass')
  expect(worst(['pass', 'inconclusive'])).toBe('inconclusive')
})

test('our own fault on one endpoint hides no failure on another, and never reads as a pass', () => {
  expect(worst(['error', 'fail'])).toBe('fail')
  expect(worst(['error', 'flaky'])).toBe('flaky')
  expect(worst(['error', 'inconclusive', 'pass'])).toBe('error')
})

test('a row of which nothing was seen could not run', () => {
  expect(worst([])).toBe('inconclusive')
})

test('counts names every verdict', () => {
  expect(Object.keys(counts([]))).toEqual(verdictOrder)
  expect(counts(rows)).toMatchObject({ fail: 2, inconclusive: 2, pass: 1, excluded: 1 })
})

test('all that was judged holds: conformant', () => {
  const other = row('a.other', 'pass', { outcomes: [outcome('pass', { endpoint: 'custom-auth' })] })
  expect(judge([other])).toEqual({
    result: 'conformant',
    sentence: 'Conformant: 2 of 2 tested requirements pass (open, custom-auth)',
    exitCode: 0,
  })
})

test('known failures, accepted gaps and advised points are named and change no exit code', () => {
  const verdict = judge([
    levelled('MUST', 'expected-fail'),
    levelled('MUST', 'inconclusive', { accepted: true }),
    levelled('SHOULD', 'blocked', { accepted: true }),
    levelled('SHOULD', 'warning'),
    levelled('MAY', 'inconclusive'),
    levelled('UNSPECIFIED', 'observed'),
    levelled('MUST', 'not-applicable'),
    levelled('MUST', 'excluded'),
  ])
  expect(verdict.exitCode).toBe(0)
  expect(verdict.sentence).toBe(
    'Conformant: 1 of 3 tested requirements passes (open), 1 known failure in the baseline, 2 accepted gaps, 1 warning',
  )
})

test('a MUST that fails, or is flaky, is exit code 1', () => {
  expect(judge([levelled('MUST', 'fail'), levelled('MUST', 'flaky')])).toEqual({
    result: 'non-conformant',
    sentence: 'Not conformant: 2 of 3 tested requirements fail (open), 1 of them flaky',
    exitCode: 1,
  })
})

test('acceptance excuses no failure and no fault of ours', () => {
  expect(judge([levelled('MUST', 'fail', { accepted: true })]).exitCode).toBe(1)
  expect(judge([levelled('MUST', 'error', { accepted: true })]).exitCode).toBe(2)
})

test('a stale baseline entry is exit code 1', () => {
  const verdict = summarize([held], [{ id: 'a.held', reason: 'it passes now' }], [])
  expect(verdict).toMatchObject({ result: 'non-conformant', exitCode: 1 })
  expect(verdict.sentence).toBe('Not conformant: 1 of 1 tested requirement passes (open), 1 stale baseline entry')
})

test('a fault or problem of ours is exit code 2', () => {
  expect(judge([levelled('MAY', 'error')])).toMatchObject({ result: 'error', exitCode: 2 })
  expect(summarize([], [], ['nothing listens at http://127.0.0.1:1'])).toEqual({
    result: 'error',
    sentence: 'Error: no requirement was tested, 1 problem of the run',
    exitCode: 2,
  })
})

test('a real failure stays visible beside a fault of ours', () => {
  const verdict = judge([levelled('MUST', 'error'), levelled('MUST', 'fail')])
  expect(verdict.exitCode).toBe(1)
  expect(verdict.sentence).toBe('Not conformant: 1 of 2 tested requirements fails (open), 1 error in Touchstone')
})

test('a MUST or SHOULD that was not judged makes the run incomplete', () => {
  expect(judge([levelled('MUST', 'inconclusive'), levelled('SHOULD', 'blocked')])).toEqual({
    result: 'incomplete',
    sentence: 'Incomplete: 1 of 1 tested requirement passes (open), 1 inconclusive, 1 blocked',
    exitCode: 3,
  })
})

test('nothing judged, or nothing that holds, is never green', () => {
  expect(summarize([], [], [])).toMatchObject({ exitCode: 3, sentence: 'Incomplete: no requirement was tested' })
  expect(summarize([levelled('UNSPECIFIED', 'observed')], [], []).exitCode).toBe(3)
  expect(summarize([levelled('MUST', 'expected-fail'), levelled('SHOULD', 'warning')], [], []).exitCode).toBe(3)
})

test('a run that ended early is incomplete', () => {
  expect(judge([], { interrupted: 'SIGINT' })).toMatchObject({
    exitCode: 3,
    sentence: 'Incomplete: 1 of 1 tested requirement passes (open), interrupted (SIGINT)',
  })
})

test('a part is judged on what was selected, and the sentence says so', () => {
  expect(judge([], { shard: '1/2', selection: '--area A' })).toMatchObject({
    exitCode: 0,
    sentence: 'Conformant for the selection (shard 1/2; --area A): 1 of 1 tested requirement passes (open)',
  })
})

test('only the sentence of exit code 0 starts with Conformant', () => {
  for (const verdict of verdictOrder) {
    const { exitCode, sentence } = judge([levelled('MUST', verdict)])
    expect(sentence.startsWith('Conformant')).toBe(exitCode === 0)
    expect(sentence).not.toContain('%')
  }
})
