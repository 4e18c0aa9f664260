import { describe, expect, test } from 'vitest'
import type { Clock } from '../../mock-server/runtime/clock.ts'
import { manualClock } from '../../mock-server/runtime/manual-clock.ts'
import { systemClock } from '../../mock-server/runtime/system-clock.ts'

const HOUR = 3_600_000

describe.each<[string, () => Clock]>([
  ['a manual clock', () => manualClock(Date.UTC(2026, 0, 1))],
  ['the system clock', systemClock],
])('%s', (_, create) => {
  test('fires every timer that a jump makes due, in order of due time', async () => {
    const clock = create()
    const fired: string[] = []
    clock.after(3 * HOUR, () => fired.push('3 h'))
    clock.after(HOUR, () => fired.push('1 h'))
    clock.after(2 * HOUR, () => fired.push('2 h'))
    clock.after(5 * HOUR, () => fired.push('5 h'))
    await clock.advance(4 * HOUR)
    expect(fired).toEqual(['1 h', '2 h', '3 h'])
  })

  test('keeps the order of timers that are due together', async () => {
    const clock = manualClock(0)
    const fired: number[] = []
    for (const number of [1, 2, 3, 4, 5]) clock.after(HOUR, () => fired.push(number))
    await clock.advance(HOUR)
    expect(fired).toEqual([1, 2, 3, 4, 5])
  })

  test('fires timers that were set on the way', async () => {
    const clock = create()
    const moments: number[] = []
    const start = clock.now()
    const everyHour = (): void => {
      moments.push(Math.round((clock.now() - start) / HOUR))
      clock.after(HOUR, everyHour)
    }
    clock.after(HOUR, everyHour)
    await clock.advance(4.5 * HOUR)
    expect(moments).toEqual([1, 2, 3, 4])
  })

  test('lets promise reactions run between timers', async () => {
    const clock = create()
    const seen: string[] = []
    const work = async (): Promise<void> => {
      await clock.sleep(HOUR)
      seen.push('woken')
      await Promise.resolve()
      await Promise.resolve()
      seen.push('worked')
    }
    void work()
    clock.after(2 * HOUR, () => seen.push('second timer'))
    await clock.advance(3 * HOUR)
    expect(seen).toEqual(['woken', 'worked', 'second timer'])
  })

  test('lets work that takes real time end before the next timer', async () => {
    const clock = create()
    const seen: string[] = []
    clock.after(HOUR, async () => {
      const release = clock.hold(10_000)
      const { port1, port2 } = new MessageChannel()
      port2.postMessage('written')
      await new Promise((resolve) => port1.once('message', resolve))
      port1.close()
      seen.push('written')
      release()
    })
    clock.after(2 * HOUR, () => seen.push('second timer'))
    await clock.advance(3 * HOUR)
    expect(seen).toEqual(['written', 'second timer'])
  })

  test('waits no longer than told for work that never ends', async () => {
    const clock = create()
    clock.after(HOUR, () => void clock.hold(1))
    await clock.advance(2 * HOUR)
  })

  test('never fires a timer that was called off', async () => {
    const clock = create()
    const fired: string[] = []
    clock.after(HOUR, () => fired.push('kept'))
    const callOff = clock.after(HOUR, () => fired.push('called off'))
    callOff()
    callOff()
    await clock.advance(2 * HOUR)
    expect(fired).toEqual(['kept'])
  })

  test('rejects a sleep with the reason of its signal, before and while sleeping', async () => {
    const clock = create()
    const controller = new AbortController()
    const sleeping = clock.sleep(HOUR, controller.signal)
    controller.abort(new Error('no longer needed'))
    await expect(sleeping).rejects.toThrow('no longer needed')
    await expect(clock.sleep(HOUR, controller.signal)).rejects.toThrow('no longer needed')
  })

  test('does two jumps one after the other', async () => {
    const clock = create()
    const start = clock.now()
    await Promise.all([clock.advance(HOUR), clock.advance(HOUR)])
    expect(clock.now() - start).toBeGreaterThanOrEqual(2 * HOUR)
  })

  test('wakes a sleep of no time without a jump', async () => {
    await expect(create().sleep(0)).resolves.toBeUndefined()
  })

  test('fires a timer of more than 24 days neither at once nor never', async () => {
    const clock = create()
    const fired: string[] = []
    clock.after(2 ** 31 + HOUR, () => fired.push('month'))
    clock.after(0, () => fired.push('now'))
    await clock.sleep(0)
    expect(fired).toEqual(['now'])
    await clock.advance(2 ** 31 + 2 * HOUR)
    expect(fired).toEqual(['now', 'month'])
  })

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses to jump by %s', async (ms) => {
    await expect(create().advance(ms)).rejects.toThrow(`received ${ms}`)
    await expect(create().advance(String(ms) as never)).rejects.toThrow(`received "${ms}"`)
  })

  test('keeps its order with thousands of timers set and called off at random', async () => {
    const clock = manualClock(0)
    const fired: number[] = []
    const calledOff = new Set<number>()
    for (let index = 0; index < 3_000; index++) {
      const due = (index * 7_919) % 1_009
      const callOff = clock.after(due, () => fired.push(due))
      if (index % 3 === 0) {
        callOff()
        calledOff.add(index)
      }
    }
    await clock.advance(1_009)
    expect(fired).toHaveLength(3_000 - calledOff.size)
    expect(fired).toEqual(fired.toSorted((a, b) => a - b))
  })
})

test('a manual clock stands still', async () => {
  const clock = manualClock(1_000)
  await clock.sleep(0)
  expect(clock.now()).toBe(1_000)
  await clock.advance(500)
  expect(clock.now()).toBe(1_500)
})

test('the system clock flows by itself', async () => {
  const clock = systemClock()
  const start = clock.now()
  await clock.sleep(5)
  expect(clock.now() - start).toBeGreaterThanOrEqual(4)
})

test('a manual clock refuses a start that is no moment', () => {
  expect(() => manualClock(Number.NaN)).toThrow('received NaN')
  expect(() => manualClock('2026' as never)).toThrow('a number of milliseconds, received "2026"')
})
