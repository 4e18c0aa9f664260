import { validate, version } from 'uuid'
import { expect, test } from 'vitest'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { createIds, type IdFactory } from '../../mock-server/runtime/ids.ts'
import { cryptoRandom, seededRandom } from '../../mock-server/runtime/random.ts'

const START = Date.UTC(2026, 0, 1)

test.each<[keyof IdFactory, number]>([
  ['thread', 7],
  ['run', 7],
  ['assistant', 4],
  ['checkpoint', 6],
  ['message', 4],
  ['task', 4],
])('%s ids are UUIDs of version %i', (kind, expected) => {
  const id = createIds(manualClock(START), cryptoRandom())[kind]()
  expect(validate(id)).toBe(true)
  expect(version(id)).toBe(expected)
})

test('ids of threads, runs and checkpoints increase strictly, even while the clock is stopped', async () => {
  const clock = manualClock(START)
  const ids = createIds(clock, seededRandom('order'))
  const ordered: string[] = []
  const checkpoints: string[] = []
  for (let round = 0; round < 30_000; round++) {
    ordered.push(round % 2 === 0 ? ids.thread() : ids.run())
    checkpoints.push(ids.checkpoint())
    if (round % 10_000 === 0) await clock.advance(1)
  }
  for (const list of [ordered, checkpoints]) {
    expect(new Set(list).size).toBe(list.length)
    expect(list).toEqual(list.toSorted())
  }
})

test('the same seed produces the same ids, another seed different ones', () => {
  const createAll = (seed: string): string[] => {
    const ids = createIds(manualClock(START), seededRandom(seed))
    return [ids.thread(), ids.run(), ids.assistant(), ids.checkpoint(), ids.message(), ids.task()]
  }
  expect(createAll('a')).toEqual(createAll('a'))
  const other = new Set(createAll('b'))
  expect(createAll('a').filter((id) => other.has(id))).toEqual([])
})

test.each([
  ['a seed', seededRandom(42)],
  ['the platform', cryptoRandom()],
])('random numbers from %s are spread over the range from 0 to 1', (_, random) => {
  const tenths = new Set<number>()
  for (let draw = 0; draw < 2_000; draw++) {
    const value = random()
    expect(value).toBeGreaterThanOrEqual(0)
    expect(value).toBeLessThan(1)
    tenths.add(Math.floor(value * 10))
  }
  expect(tenths.size).toBe(10)
})
