import { expect, test } from 'vitest'
import type { RequirementResult } from '../../reporters/model/report.ts'
import { counts, type Scope, summarize, verdictOrder, worst } from '../../reporters/model/verdict.ts'
import { outcome, requirement, requirements, withLevel } from './example-report.ts'

const passing = requirement('a.passing', 'pass')
const summary = (more: RequirementResult[], scope: Scope = {}) => summarize([passing, ...more], [], [], scope)

test('combines the verdicts of endpoints and repeats to the worst one', () => {
  expect(worst(['pass', 'fail', 'warning'])).toBe('fail')
  expect(worst(['pass', 'expected-fail'])).toBe('expected-fail')
  expect(worst(['not-applicable', 'pass'])).toBe('pass')
  expect(worst(['pass', 'inconclusive'])).toBe('inconclusive')
})

test('ranks an error below a failure and above a pass', () => {
  expect(worst(['error', 'fail'])).toBe('fail')
  expect(worst(['error', 'flaky'])).toBe('flaky')
  expect(worst(['error', 'inconclusive', 'pass'])).toBe('error')
})

test('is inconclusive without outcomes', () => {
  expect(worst([])).toBe('inconclusive')
})

test('counts every verdict, including zeros', () => {
  expect(Object.keys(counts([]))).toEqual(verdictOrder)
  expect(counts(requirements)).toMatchObject({ fail: 2, inconclusive: 2, pass: 1, excluded: 1 })
})

test('is conformant if all tested requirements pass', () => {
  const other = requirement('a.other', 'pass', { outcomes: [outcome('pass', { endpoint: 'custom-auth' })] })
  expect(summary([other])).toEqual({
    result: 'conformant',
    sentence: 'Conformant: 2 of 2 tested requirements pass (open, custom-auth)',
    exitCode: 0,
  })
})

test('counts verdicts that do not change the exit code, as the legend of the page does', () => {
  const verdict = summary([
    withLevel('MUST', 'expected-fail'),
    withLevel('MUST', 'inconclusive', { accepted: true }),
    withLevel('SHOULD', 'blocked', { accepted: true }),
    withLevel('SHOULD', 'warning'),
    withLevel('MAY', 'inconclusive'),
    withLevel('UNSPECIFIED', 'observed'),
    withLevel('MUST', 'not-applicable'),
    withLevel('MUST', 'excluded'),
  ])
  expect(verdict.exitCode).toBe(0)
  expect(verdict.sentence).toBe(
    'Conformant: 1 of 3 tested requirements passes (open), 1 inconclusive, 1 known failure in the baseline, 2 accepted gaps, 1 warning',
  )
})

test('exits with 1 if a MUST fails or is flaky', () => {
  expect(summary([withLevel('MUST', 'fail'), withLevel('MUST', 'flaky')])).toEqual({
    result: 'non-conformant',
    sentence: 'Not conformant: 2 of 3 tested requirements fail (open), 1 of them flaky',
    exitCode: 1,
  })
})

test('never accepts a failure or an error', () => {
  expect(summary([withLevel('MUST', 'fail', { accepted: true })]).exitCode).toBe(1)
  expect(summary([withLevel('MUST', 'error', { accepted: true })]).exitCode).toBe(2)
})

test('exits with 1 if a baseline entry is stale', () => {
  const verdict = summarize([passing], [{ id: 'a.passing', reason: 'it passes now' }], [])
  expect(verdict).toMatchObject({ result: 'non-conformant', exitCode: 1 })
  expect(verdict.sentence).toBe('Not conformant: 1 of 1 tested requirement passes (open), 1 stale baseline entry')
})

test('exits with 2 after an error or a problem', () => {
  expect(summary([withLevel('MAY', 'error')])).toMatchObject({ result: 'error', exitCode: 2 })
  expect(summarize([], [], ['nothing listens at http://127.0.0.1:1'])).toEqual({
    result: 'error',
    sentence: 'Error: no requirement was tested, 1 problem of the run',
    exitCode: 2,
  })
})

test('shows a failure in addition to an error', () => {
  const verdict = summary([withLevel('MUST', 'error'), withLevel('MUST', 'fail')])
  expect(verdict.exitCode).toBe(1)
  expect(verdict.sentence).toBe('Not conformant: 1 of 2 tested requirements fails (open), 1 error in Touchstone')
})

test('is incomplete if a MUST or SHOULD was not tested', () => {
  expect(summary([withLevel('MUST', 'inconclusive'), withLevel('SHOULD', 'blocked')])).toEqual({
    result: 'incomplete',
    sentence: 'Incomplete: 1 of 1 tested requirement passes (open), 1 inconclusive, 1 blocked',
    exitCode: 3,
  })
})

test('is not conformant if nothing was tested or nothing passes', () => {
  expect(summarize([], [], [])).toMatchObject({ exitCode: 3, sentence: 'Incomplete: no requirement was tested' })
  expect(summarize([withLevel('UNSPECIFIED', 'observed')], [], []).exitCode).toBe(3)
  expect(summarize([withLevel('MUST', 'expected-fail'), withLevel('SHOULD', 'warning')], [], []).exitCode).toBe(3)
})

test('is incomplete if the run ended early', () => {
  expect(summary([], { interrupted: 'SIGINT' })).toMatchObject({
    exitCode: 3,
    sentence: 'Incomplete: 1 of 1 tested requirement passes (open), interrupted (SIGINT)',
  })
})

test('evaluates only the selected requirements, and mentions the selection', () => {
  expect(summary([], { shard: '1/2', selection: '--area A' })).toMatchObject({
    exitCode: 0,
    sentence: 'Conformant for the selection (shard 1/2; --area A): 1 of 1 tested requirement passes (open)',
  })
})

test('starts the sentence with Conformant only for exit code 0', () => {
  for (const verdict of verdictOrder) {
    const { exitCode, sentence } = summary([withLevel('MUST', verdict)])
    expect(sentence.startsWith('Conformant')).toBe(exitCode === 0)
    expect(sentence).not.toContain('%')
  }
})
