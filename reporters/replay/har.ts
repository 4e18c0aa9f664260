import { STATUS_CODES } from 'node:http'
import type { Entry, Har, Page } from 'har-format'
import { harEntry, sentEvent } from '../../fixtures/har.ts'
import type { Exchange, Outcome, Report, StreamEvent } from '../model/report.ts'
import { oneLine } from '../model/text.ts'

/**
 * The exchanges of a failure as HTTP Archive 1.2, for the network panel of a browser: a page for each check that saw it.
 * The text of an event stream is its content; `_events` of such an entry has the arrival of each event, in milliseconds.
 */
export function renderHar(report: Report, outcomes: readonly Outcome[]): string {
  const pages = outcomes.map(
    ({ endpoint, check, evidence, failure }, index): Page => ({
      id: `check-${index + 1}`,
      title: oneLine(`${endpoint}: ${check}`, 300),
      startedDateTime: evidence?.exchanges[0]?.startedAt ?? report.startedAt,
      pageTimings: {},
      ...(failure === undefined ? {} : { comment: oneLine(failure.message, 1000) }),
    }),
  )
  const entries = outcomes.flatMap((outcome, index) => entriesOf(outcome, `check-${index + 1}`))
  const har: Har = {
    log: { version: '1.2', creator: { name: report.suite.name, version: report.suite.version }, pages, entries },
  }
  return `${JSON.stringify(har, null, 2)}\n`
}

function entriesOf({ evidence }: Outcome, pageref: string): Entry[] {
  const streams = [...(evidence?.streams ?? [])]
  // Of many streams only the last are kept, and so they are matched from the end.
  const entries = (evidence?.exchanges ?? []).toReversed().map((exchange) => {
    const match = isStream(exchange)
      ? streams.findLastIndex(({ url }) => url === `${exchange.method} ${exchange.url}`)
      : -1
    const [stream] = match < 0 ? [] : streams.splice(match, 1)
    return entry(exchange, stream?.events, pageref)
  })
  return entries.toReversed()
}

function isStream({ responseHeaders }: Exchange): boolean {
  return responseHeaders?.['content-type']?.startsWith('text/event-stream') ?? false
}

function entry(exchange: Exchange, events: readonly StreamEvent[] | undefined, pageref: string): Entry {
  const { status = 0 } = exchange
  const first = events?.[0]?.atMs
  const wait = first === undefined ? exchange.durationMs : Math.min(first, exchange.durationMs)
  const time = Math.max(exchange.durationMs, events?.at(-1)?.atMs ?? 0)
  const cut = /… \(\d+ characters\)$/
  const notes = [
    exchange.error,
    cut.test(exchange.requestBody ?? '') && 'the request body was cut in the report',
    cut.test(exchange.responseBody ?? '') && 'the response body was cut in the report',
  ].filter((note) => typeof note === 'string')
  return {
    pageref,
    ...harEntry({
      ...exchange,
      waitMs: wait,
      timeMs: time,
      status,
      statusText: STATUS_CODES[status] ?? '',
      responseHeaders: exchange.responseHeaders ?? {},
      responseBody: exchange.responseBody ?? events?.map(sentEvent).join(''),
    }),
    ...(notes.length === 0 ? {} : { comment: oneLine(notes.join('; '), 1000) }),
    ...(events === undefined ? {} : { _events: events }),
  }
}
