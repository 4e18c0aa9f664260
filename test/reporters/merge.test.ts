import { expect, test } from 'vitest'
import { mergeReports } from '../../reporters/merge.ts'
import { outcome, reportOf, requirement } from './example-report.ts'

const one = reportOf([requirement('a.one', 'pass')], { shard: '1/2' })
const two = reportOf([requirement('a.two', 'pass')], { shard: '2/2' })

test('merges all shards to a whole run', () => {
  const merged = mergeReports([one, two])
  expect(merged).not.toHaveProperty('shard')
  expect(merged.requirements.map(({ id }) => id)).toEqual(['a.one', 'a.two'])
  expect(merged.verdict.sentence).toBe('Conformant: 2 of 2 tested requirements pass (open)')
  expect(merged).toMatchObject({ durationMs: 4690, suite: { seed: '42' } })
  expect(merged.target.endpoints).toHaveLength(1)
})

test('lists the statements of the specification that no shard decided', () => {
  const section = { section: 'Events', statements: 4, undecidable: 1 }
  const merged = mergeReports([
    { ...one, specification: [{ ...section, undecided: ['item 1', 'item 2'] }] },
    { ...two, specification: [{ ...section, undecided: ['item 2', 'item 3'] }] },
  ])

  expect(merged.specification).toEqual([{ ...section, undecided: ['item 2'] }])
  expect(mergeReports([{ ...one, specification: [] }, two])).not.toHaveProperty('specification')
})

test('is incomplete while a shard is missing, and names the present and missing shards', () => {
  const first = { ...one, shard: '1/3' }
  const second = { ...two, shard: '2/3' }
  const third = reportOf([requirement('a.three', 'pass')], { shard: '3/3' })
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

test('counts the same shard once', () => {
  const twice = mergeReports([one, { ...one }])
  expect(twice).toMatchObject({ interrupted: 'shard 2/2 is missing', durationMs: one.durationMs })
  expect(twice.requirements[0]?.outcomes).toHaveLength(1)
  const again = { ...one, startedAt: '2026-03-01T11:00:00.000Z' }
  expect(mergeReports([one, again, two]).verdict.exitCode).toBe(0)
})

test('needs no thirds if both halves are present', () => {
  expect(mergeReports([one, two, { ...one, shard: '1/3' }]).verdict.exitCode).toBe(0)
})

test('lists the first of many missing shards', () => {
  expect(mergeReports([{ ...one, shard: '1/500' }]).interrupted).toMatch(
    /^shards 2\/500, .*, 11\/500 and 489 more are missing$/,
  )
})

test('gives a requirement the worst verdict and keeps all outcomes', () => {
  const again = reportOf([
    requirement('a.one', 'fail', { outcomes: [outcome('fail', { endpoint: 'custom-auth' })], reason: 'failed there' }),
  ])
  const [merged, ...others] = mergeReports([one, again]).requirements
  expect(others).toEqual([])
  expect(merged).toMatchObject({ verdict: 'fail', reason: 'failed there' })
  expect(merged?.outcomes.map(({ endpoint, verdict }) => [endpoint, verdict])).toEqual([
    ['open', 'pass'],
    ['custom-auth', 'fail'],
  ])
  expect(mergeReports([one, again]).verdict.exitCode).toBe(1)
})

test('gives a requirement the verdict of the reports that decide it on an endpoint', () => {
  const undecided = requirement('a.one', 'inconclusive', {
    outcomes: [outcome('inconclusive'), outcome('pass', { endpoint: 'custom-auth' })],
  })
  const merged = mergeReports([one, reportOf([undecided])])
  expect(merged.requirements[0]).toMatchObject({ verdict: 'pass' })
  expect(merged.requirements[0]?.outcomes.map(({ endpoint }) => endpoint)).toEqual(['open', 'custom-auth'])
  const elsewhere = requirement('a.one', 'inconclusive', {
    outcomes: [outcome('inconclusive', { endpoint: 'custom-auth' })],
  })
  expect(mergeReports([one, reportOf([elsewhere])]).requirements[0]).toMatchObject({ verdict: 'inconclusive' })
})

test('accepts a gap only if every report accepts it', () => {
  const gap = requirement('a.gap', 'inconclusive')
  const accepted = reportOf([requirement('a.one', 'pass'), { ...gap, accepted: true }])
  expect(mergeReports([accepted, accepted]).verdict.exitCode).toBe(0)
  expect(mergeReports([accepted, reportOf([gap])]).verdict.exitCode).toBe(3)
})

test('keeps what the options of a run left out', () => {
  expect(mergeReports([one, { ...two, notRun: 'Not run: long streams' }]).notRun).toBe('Not run: long streams')
  expect(mergeReports([one, two])).not.toHaveProperty('notRun')
})

test('lists all seeds', () => {
  const other = { ...two, suite: { ...two.suite, seed: '7' } }
  expect(mergeReports([one, other]).suite.seed).toBe('42, 7')
})

test('keeps each problem, stale entry and interruption once', () => {
  const problem = reportOf([requirement('a.one', 'pass')], {
    problems: ['the target went away'],
    interrupted: 'the target went away',
    staleBaseline: [{ id: 'a.two', reason: 'it passes now' }],
  })
  const merged = mergeReports([problem, problem, one])
  expect(merged.problems).toEqual(['the target went away'])
  expect(merged.staleBaseline).toHaveLength(1)
  expect(merged.interrupted).toBe('the target went away')
})

test('lists all selections', () => {
  const left = reportOf([requirement('a.one', 'pass')], { selection: '--area A' })
  const right = reportOf([requirement('b.one', 'pass')], { selection: '--area B' })
  expect(mergeReports([left, right])).toMatchObject({ selection: '--area A + --area B' })
  expect(mergeReports([left, reportOf([])])).not.toHaveProperty('selection')
})

test('rejects reports with different catalogs or targets', () => {
  const newer = { ...two, suite: { ...two.suite, catalogHash: 'beef' } }
  expect(() => mergeReports([one, newer])).toThrow(/received catalog hash f00d.* in one and beef in another/)
  const elsewhere = { ...two, target: { ...two.target, name: 'other' } }
  expect(() => mergeReports([one, elsewhere])).toThrow('target example in one and other in another')
})
