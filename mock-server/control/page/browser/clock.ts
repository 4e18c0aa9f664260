import { create } from '../../../../pages/browser/create.ts'
import type { Api } from './api.ts'
import { createForm, field, numberOrText } from './form.ts'
import { duration, instant, timeOfDay } from './format.ts'
import type { View } from './view.ts'

/** The time of the server's clock, and when its next timer is due. */
interface ClockState {
  readonly now: number
  readonly next?: number
}

/** The server's clock as the page knows it. */
export interface ServerClock {
  /** Returns the time, in milliseconds since the Unix epoch. */
  now(): number
  refresh(): Promise<ClockState>
}

/** Creates the clock of the session that is shown. Between two readings, it runs on, unless it is a manual clock. */
export function createServerClock(api: Api): ServerClock {
  let state: ClockState = { now: Date.now() }
  let readAt = performance.now()
  let isRunning = false
  return {
    now: () => (isRunning ? state.now + performance.now() - readAt : state.now),
    refresh: async () => {
      const earlier = { now: state.now, readAt }
      state = await api.get<ClockState>('clock')
      readAt = performance.now()
      const elapsed = readAt - earlier.readAt
      // A manual clock stands still, or jumps. Two readings in a short time show nothing.
      if (elapsed >= 500) isRunning = Math.abs(state.now - earlier.now - elapsed) < 500
      return state
    },
  }
}

const STEPS: Readonly<Record<string, number>> = {
  '1 second': 1000,
  '1 minute': 60_000,
  '1 hour': 3_600_000,
  '1 day': 86_400_000,
}
const UNITS: Readonly<Record<string, number>> = {
  milliseconds: 1,
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
}

/** The clock, and buttons that advance it. */
export function clockView(api: Api, clock: ServerClock): View {
  const time = create('p', { className: 'time' })
  const due = create('p', { className: 'dim' })
  const problem = create('p', { className: 'error', role: 'alert' })
  let next: number | undefined

  const advance = async (ms: unknown): Promise<void> => {
    await api.send('POST', 'clock', JSON.stringify({ advance_ms: ms }))
    await view.refresh()
  }
  const button = (label: string, msOf: () => number): HTMLButtonElement => {
    const element = create('button', { type: 'button', className: 'button' }, label)
    element.addEventListener('click', async () => {
      element.disabled = true
      problem.textContent = ''
      try {
        await advance(msOf())
      } catch (error) {
        problem.textContent = error instanceof Error ? error.message : String(error)
      }
      element.disabled = false
      element.focus()
    })
    return element
  }
  const jump = button('Jump to the next due timer', () => Math.max(0, (next ?? 0) - clock.now()))
  const amount = create('input', { name: 'advance_ms', inputMode: 'decimal', value: '10' })
  const unit = create(
    'select',
    { name: 'unit', ariaLabel: 'Unit' },
    ...Object.keys(UNITS).map((name) => create('option', { selected: name === 'minutes' }, name)),
  )
  const form = createForm(
    'Advance the clock',
    [field('Advance by', amount), unit, create('button', { className: 'button primary' }, 'Advance')],
    async () => {
      const value = numberOrText(form.text('advance_ms')) ?? null
      await advance(typeof value === 'number' ? value * (UNITS[unit.value] ?? 1) : value)
      return `Advanced by ${amount.value} ${unit.value}.`
    },
  )
  const view: View = {
    name: 'clock',
    title: 'Clock',
    element: create(
      'section',
      { className: 'plain', ariaLabel: 'Clock' },
      time,
      due,
      create(
        'p',
        { className: 'actions' },
        ...Object.entries(STEPS).map(([name, ms]) => button(`+ ${name}`, () => ms)),
      ),
      create('p', { className: 'actions' }, jump),
      problem,
      form.element,
      create(
        'p',
        { className: 'hint' },
        'Advancing fires every timer that becomes due, in order: graphs that sleep, latencies, retries and schedules.',
      ),
    ),
    show: () => undefined,
    refresh: async () => {
      const state = await clock.refresh()
      next = state.next
      time.textContent = `${instant(state.now).slice(0, 10)} ${timeOfDay(state.now)} UTC`
      due.textContent =
        next === undefined
          ? 'No timer is waiting.'
          : `The next timer is due at ${instant(next)}, in ${duration(Math.max(0, next - state.now))}.`
      jump.disabled = next === undefined
    },
  }
  return view
}
