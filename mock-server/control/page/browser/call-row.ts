import { create } from '../../../../pages/browser/create.ts'
import { shortenIds } from '../../../../pages/short-ids.ts'
import type { CallSummary } from '../../journal/changes.ts'
import { pathOf } from './call-filter.ts'
import { duration, timeOfDay } from './format.ts'

/** The times between which the bars of the rows are drawn. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** The elements of a row, and the call that it shows. */
interface Row {
  readonly status: HTMLElement
  readonly method: HTMLElement
  readonly path: HTMLElement
  readonly note: HTMLElement
  readonly bar: HTMLElement
  readonly took: HTMLElement
  readonly at: HTMLElement
  call: CallSummary | undefined
}

const rows = new WeakMap<HTMLElement, Row>()

/** Shows a call in a row of the list. */
export function renderCall(element: HTMLElement, call: CallSummary, range: Range, now: number): void {
  const row = rows.get(element) ?? newRow(element)
  const end = call.endedAt ?? Math.max(now, call.at)
  const span = Math.max(1, range.to - range.from)
  row.bar.style.left = `${percent((call.at - range.from) / span)}%`
  row.bar.style.width = `${percent((end - call.at) / span)}%`
  row.took.textContent = duration(end - call.at)
  if (row.call === call) return
  row.call = call
  element.className = `row ${toneOf(call)}`
  row.status.textContent = statusOf(call)
  row.method.textContent = call.method
  const path = pathOf(call.url)
  row.path.textContent = shortenIds(path)
    .map(({ text }) => text)
    .join('')
  row.path.title = path
  row.note.textContent = noteOf(call)
  row.at.textContent = timeOfDay(call.at)
}

function newRow(element: HTMLElement): Row {
  const cell = (className: string): HTMLElement => create('span', { className })
  const row = {
    status: cell('status'),
    method: cell('method'),
    path: cell('path'),
    note: cell('note'),
    bar: cell('bar'),
    took: cell('took'),
    at: cell('at'),
    call: undefined,
  }
  const { status, method, path, note, bar, took, at } = row
  element.replaceChildren(status, method, path, note, create('span', { className: 'track' }, bar), took, at)
  rows.set(element, row)
  return row
}

function percent(share: number): string {
  return (Math.min(1, Math.max(0, share)) * 100).toFixed(2)
}

/** Returns the status of a call, or why it has none. */
function statusOf({ status, state, failure }: CallSummary): string {
  return String(status ?? (failure === undefined || state !== 'ended' ? '···' : 'none'))
}

/** Returns the class with the color of a call. */
export function toneOf({ status = 0, state, failure }: Pick<CallSummary, 'status' | 'state' | 'failure'>): string {
  if (failure !== undefined && failure !== 'client left') return 'fail'
  if (state !== 'ended') return 'open'
  if (status >= 500) return 'fail'
  return status >= 400 || failure !== undefined ? 'warning' : 'pass'
}

function noteOf({ isStream, webhook, failure, state }: CallSummary): string {
  if (failure !== undefined) return failure
  if (webhook !== undefined) return 'webhook'
  if (isStream) return state === 'ended' ? 'stream' : 'streaming'
  return ''
}
