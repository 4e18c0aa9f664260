import { describe, expect, test } from 'vitest'
import { type Clock, manualClock, systemClock } from '../../mock-server/runtime/clock.ts'

const HOUR = 3_600_000

describe.each<[string, () => Clock]>([
  ['a manual clock', () => manualClock(Date.UTC(2026, 0, 1))],
  ['the system clock', systemClock],
])('%s', (_, create) => {
  test('fires all due timers of an advance in order of due time', async () => {
    const clock = create()
    const fired: string[] = []
    clock.after(3 * HOUR, () => fired.push('3 h'))
    clock.after(HOUR, () => fired.push('1 h'))
    clock.after(2 * HOUR, () => fired.push('2 h'))
    clock.after(5 * HOUR, () => fired.push('5 h'))
    await clock.advance(4 * HOUR)
    expect(fired).toEqual(['1 h', '2 h', '3 h'])
  })

  test('fires timers with the same due time in order of creation', async () => {
    const clock = manualClock(0)
    const fired: number[] = []
    for (const number of [1, 2, 3, 4, 5]) clock.after(HOUR, () => fired.push(number))
    await clock.advance(HOUR)
    expect(fired).toEqual([1, 2, 3, 4, 5])
  })

  test('fires timers that are created during an advance', async () => {
    const clock = create()
    const hours: number[] = []
    const start = clock.now()
    const everyHour = (): void => {
      hours.push(Math.round((clock.now() - start) / HOUR))
      clock.after(HOUR, everyHour)
    }
    clock.after(HOUR, everyHour)
    await clock.advance(4.5 * HOUR)
    expect(hours).toEqual([1, 2, 3, 4])
  })

  test('runs promise reactions between timers', async () => {
    const clock = create()
    const steps: string[] = []
    const work = async (): Promise<void> => {
      await clock.sleep(HOUR)
      steps.push('woken')
      await Promise.resolve()
      await Promise.resolve()
      steps.push('worked')
    }
    void work()
    clock.after(2 * HOUR, () => steps.push('second timer'))
    await clock.advance(3 * HOUR)
    expect(steps).toEqual(['woken', 'worked', 'second timer'])
  })

  test('waits for held work before the next timer', async () => {
    const clock = create()
    const steps: string[] = []
    clock.after(HOUR, async () => {
      const release = clock.hold(10_000)
      const { port1, port2 } = new MessageChannel()
      port2.postMessage('written')
      await new Promise((resolve) => port1.once('message', resolve))
      port1.close()
      steps.push('written')
      release()
    })
    clock.after(2 * HOUR, () => steps.push('second timer'))
    await clock.advance(3 * HOUR)
    expect(steps).toEqual(['written', 'second timer'])
  })

  test('waits for held work at most as long as the hold allows', async () => {
    const clock = create()
    clock.after(HOUR, () => void clock.hold(1))
    await clock.advance(2 * HOUR)
  })

  test('never fires a cancelled timer', async () => {
    const clock = create()
    const fired: string[] = []
    clock.after(HOUR, () => fired.push('kept'))
    const cancel = clock.after(HOUR, () => fired.push('cancelled'))
    cancel()
    cancel()
    await clock.advance(2 * HOUR)
    expect(fired).toEqual(['kept'])
  })

  test('rejects a sleep with the reason of its signal, before or during the sleep', async () => {
    const clock = create()
    const controller = new AbortController()
    const sleeping = clock.sleep(HOUR, controller.signal)
    controller.abort(new Error('no longer needed'))
    await expect(sleeping).rejects.toThrow('no longer needed')
    await expect(clock.sleep(HOUR, controller.signal)).rejects.toThrow('no longer needed')
  })

  test('performs concurrent advances in sequence', async () => {
    const clock = create()
    const start = clock.now()
    await Promise.all([clock.advance(HOUR), clock.advance(HOUR)])
    expect(clock.now() - start).toBeGreaterThanOrEqual(2 * HOUR)
  })

  test('resolves a sleep of 0 ms without an advance', async () => {
    await expect(create().sleep(0)).resolves.toBeUndefined()
  })

  test('supports timers longer than 24 days', async () => {
    const clock = create()
    const fired: string[] = []
    clock.after(2 ** 31 + HOUR, () => fired.push('month'))
    clock.after(0, () => fired.push('now'))
    await clock.sleep(0)
    expect(fired).toEqual(['now'])
    await clock.advance(2 ** 31 + 2 * HOUR)
    expect(fired).toEqual(['now', 'month'])
  })

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('rejects an advance by %s', async (ms) => {
    await expect(create().advance(ms)).rejects.toThrow(`received ${ms}`)
    await expect(create().advance(String(ms) as never)).rejects.toThrow(`received "${ms}"`)
  })

  test('keeps the order of thousands of created and cancelled timers', async () => {
    const clock = manualClock(0)
    const fired: number[] = []
    const cancelled = new Set<number>()
    for (let index = 0; index < 3_000; index++) {
      const due = (index * 7_919) % 1_009
      const cancel = clock.after(due, () => fired.push(due))
      if (index % 3 === 0) {
        cancel()
        cancelled.add(index)
      }
    }
    await clock.advance(1_009)
    expect(fired).toHaveLength(3_000 - cancelled.size)
    expect(fired).toEqual(fired.toSorted((a, b) => a - b))
  })
})

test('a manual clock moves only by advance', async () => {
  const clock = manualClock(1_000)
  await clock.sleep(0)
  expect(clock.now()).toBe(1_000)
  await clock.advance(500)
  expect(clock.now()).toBe(1_500)
})

test('the system clock advances by itself', async () => {
  const clock = systemClock()
  const start = clock.now()
  await clock.sleep(5)
  expect(clock.now() - start).toBeGreaterThanOrEqual(4)
})

test('a manual clock rejects an invalid start time', () => {
  expect(() => manualClock(Number.NaN)).toThrow('received NaN')
  expect(() => manualClock('2026' as never)).toThrow('a number of milliseconds, received "2026"')
})
