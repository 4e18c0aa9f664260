import { create } from '../../../../pages/browser/create.ts'
import { type Api, Refused } from './api.ts'
import { createForm, field } from './form.ts'
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
const MAX_JUMP_MS = 366 * 86_400_000
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
  const result = create('p', { className: 'result', role: 'status' })
  let next: number | undefined

  const advance = async (ms: number): Promise<void> => {
    await api.send('POST', 'clock', JSON.stringify({ advance_ms: ms }))
    await view.refresh()
  }
  const report = (message: string, isError = false): void => {
    result.textContent = message
    result.classList.toggle('error', isError)
  }
  const button = (label: string, msOf: () => number, doneOf: () => string): HTMLButtonElement => {
    const element = create('button', { type: 'button', className: 'button' }, label)
    element.addEventListener('click', async () => {
      element.disabled = true
      report('')
      try {
        await advance(msOf())
        report(doneOf())
      } catch (error) {
        report(error instanceof Error ? error.message : String(error), true)
      }
      element.disabled = false
      element.focus()
    })
    return element
  }
  const jump = button(
    'Jump to the next due timer',
    () => Math.max(0, (next ?? 0) - clock.now()),
    () => `Jumped to ${instant(clock.now())}.`,
  )
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
      const ms = Number(form.text('advance_ms')) * (UNITS[unit.value] ?? 1)
      // The control plane counts in milliseconds.
      if (!(ms >= 0 && ms <= MAX_JUMP_MS)) {
        throw new Refused(0, `Field "advance_ms": expected 0 to 366 days, received ${amount.value || 'nothing'}`)
      }
      report('')
      await advance(ms)
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
        ...Object.entries(STEPS).map(([name, ms]) =>
          button(
            `+ ${name}`,
            () => ms,
            () => `Advanced by ${name}.`,
          ),
        ),
      ),
      create('p', { className: 'actions' }, jump),
      result,
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
