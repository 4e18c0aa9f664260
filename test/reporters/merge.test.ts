import { expect, test } from 'vitest'
import { mergeReports } from '../../reporters/merge.ts'
import { outcome, reportOf, row } from './example-report.ts'

const one = reportOf([row('a.one', 'pass')], { shard: '1/2' })
const two = reportOf([row('a.two', 'pass')], { shard: '2/2' })

test('all shards together are the run', () => {
  const merged = mergeReports([one, two])
  expect(merged).not.toHaveProperty('shard')
  expect(merged.requirements.map((it) => it.id)).toEqual(['a.one', 'a.two'])
  expect(merged.verdict.sentence).toBe('Conformant: 2 of 2 tested requirements pass (open)')
  expect(merged).toMatchObject({ durationMs: 4690, suite: { seed: '42' } })
  expect(merged.target.endpoints).toHaveLength(1)
})

test('while a shard is missing the whole is incomplete, and the sentence names what is there and what is not', () => {
  const first = { ...one, shard: '1/3' }
  const second = { ...two, shard: '2/3' }
  const third = reportOf([row('a.three', 'pass')], { shard: '3/3' })
  expect(mergeReports([first]).interrupted).toBe('shards 2/3 and 3/3 are missing')
  expect(mergeReports([first, second]).verdict).toEqual({
    result: 'incomplete',
    sentence:
      'Incomplete for the selection (shard 1/3, 2/3): 2 of 2 tested requirements pass (open), interrupted (shard 3/3 is missing)',
    exitCode: 3,
  })
  const whole = mergeReports([mergeReports([first, second]), third])
  expect(whole).not.toHaveProperty('shard')
  expect(whole).not.toHaveProperty('interrupted')
  expect(whole.verdict.exitCode).toBe(0)
})

test('the same shard twice counts once', () => {
  const twice = mergeReports([one, { ...one }])
  expect(twice).toMatchObject({ interrupted: 'shard 2/2 is missing', durationMs: one.durationMs })
  expect(twice.requirements[0]?.outcomes).toHaveLength(1)
  const again = { ...one, startedAt: '2026-03-01T11:00:00.000Z' }
  expect(mergeReports([one, again, two]).verdict.exitCode).toBe(0)
})

test('a whole run in halves lacks no third', () => {
  expect(mergeReports([one, two, { ...one, shard: '1/3' }]).verdict.exitCode).toBe(0)
})

test('of many missing shards the first are named', () => {
  expect(mergeReports([{ ...one, shard: '1/500' }]).interrupted).toMatch(
    /^shards 2\/500, .*, 11\/500 and 489 more are missing$/,
  )
})

test('the worst verdict of a row wins and all outcomes are kept', () => {
  const again = reportOf([
    row('a.one', 'fail', { outcomes: [outcome('fail', { endpoint: 'custom-auth' })], reason: 'seen there' }),
  ])
  const [merged, ...others] = mergeReports([one, again]).requirements
  expect(others).toEqual([])
  expect(merged).toMatchObject({ verdict: 'fail', reason: 'seen there' })
  expect(merged?.outcomes.map((it) => [it.endpoint, it.verdict])).toEqual([
    ['open', 'pass'],
    ['custom-auth', 'fail'],
  ])
  expect(mergeReports([one, again]).verdict.exitCode).toBe(1)
})

test('a gap is accepted only where no part counts it', () => {
  const gap = row('a.gap', 'inconclusive')
  const accepted = reportOf([row('a.one', 'pass'), { ...gap, accepted: true }])
  expect(mergeReports([accepted, accepted]).verdict.exitCode).toBe(0)
  expect(mergeReports([accepted, reportOf([gap])]).verdict.exitCode).toBe(3)
})

test('differing seeds are all named', () => {
  const other = { ...two, suite: { ...two.suite, seed: '7' } }
  expect(mergeReports([one, other]).suite.seed).toBe('42, 7')
})

test('problems, stale entries and early ends of all parts are kept, once', () => {
  const problem = reportOf([row('a.one', 'pass')], {
    problems: ['the target went away'],
    interrupted: 'the target went away',
    staleBaseline: [{ id: 'a.two', reason: 'it passes now' }],
  })
  const merged = mergeReports([problem, problem, one])
  expect(merged.problems).toEqual(['the target went away'])
  expect(merged.staleBaseline).toHaveLength(1)
  expect(merged.interrupted).toBe('the target went away')
})

test('selections that differ are all named', () => {
  const left = reportOf([row('a.one', 'pass')], { selection: '--area A' })
  const right = reportOf([row('b.one', 'pass')], { selection: '--area B' })
  expect(mergeReports([left, right])).toMatchObject({ selection: '--area A + --area B' })
  expect(mergeReports([left, reportOf([])])).not.toHaveProperty('selection')
})

test('reports of other suites, registers or targets are no parts of one run', () => {
  const newer = { ...two, suite: { ...two.suite, catalogHash: 'beef' } }
  expect(() => mergeReports([one, newer])).toThrow(/not parts of one run: register hash f00d.* in one, beef in another/)
  const elsewhere = { ...two, target: { ...two.target, name: 'other' } }
  expect(() => mergeReports([one, elsewhere])).toThrow('target example in one, other in another')
})
