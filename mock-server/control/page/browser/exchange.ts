import { create } from '../../../../pages/browser/create.ts'
import { curl } from '../../../http/curl.ts'
import type { Exchange, SentEvent } from '../../journal/exchange.ts'
import { pathOf } from './call-filter.ts'
import { toneOf } from './call-row.ts'
import { copyButton } from './copy.ts'
import { count, duration, instant } from './format.ts'
import { jsonBlock } from './json.ts'
import { keyed } from './keep.ts'
import { hrefOf } from './view.ts'

const SHOWN_EVENTS = 200

/** Returns the content of an opened exchange. `onMore` shows more of its events. */
export function renderExchange(exchange: Exchange, shownEvents: number, onMore: () => void): Node[] {
  const { method, url, status, state, failure, isCut, events } = exchange
  const label = create('span', { className: `v ${toneOf(exchange)}` }, String(status ?? failure ?? 'in progress'))
  return [
    create('h2', {}, create('code', {}, `${method} ${pathOf(url)}`)),
    create('p', { className: 'facts' }, label, ` ${factsOf(exchange).join(' · ')}`),
    create(
      'p',
      { className: 'actions' },
      keyed(
        copyButton('Copy as curl', () =>
          curl({
            method,
            url,
            headers: exchange.requestHeaders,
            body: exchange.requestBody,
            streams: events !== undefined,
          }),
        ),
        'curl',
      ),
      keyed(
        create('a', { className: 'button', href: hrefOf('faults', exchange.route) }, 'Add a fault for this route'),
        'fault',
      ),
    ),
    ...(isCut ? [create('p', { className: 'notice' }, 'A body was too large to be recorded completely.')] : []),
    ...(events === undefined ? [] : [eventSection(exchange, events, shownEvents, onMore)]),
    section('Request', exchange.requestHeaders, exchange.requestBody),
    ...(status === undefined
      ? []
      : [section('Response', exchange.responseHeaders ?? {}, exchange.responseBody, events === undefined)]),
    ...(state === 'arrived' ? [create('p', { className: 'dim' }, 'The server has not responded yet.')] : []),
  ]
}

function factsOf({ id, at, endedAt, state, failure, webhook, events }: Exchange): string[] {
  return [
    `request ${id}`,
    instant(at),
    endedAt === undefined
      ? events !== undefined && state === 'answered'
        ? 'streaming'
        : state
      : duration(endedAt - at),
    ...(failure === undefined ? [] : [failure]),
    ...(webhook === undefined ? [] : [`webhook of run ${webhook.run_id}, attempt ${webhook.attempt}`]),
  ]
}

function section(title: string, headers: Readonly<Record<string, string>>, body: unknown, hasBody = true): HTMLElement {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return create(
    'section',
    { className: 'part', ariaLabel: title },
    create('h3', {}, title),
    keyed(
      create(
        'details',
        {},
        create('summary', {}, count(lines.length, 'header')),
        create('pre', { tabIndex: 0 }, lines.join('\n')),
      ),
      `headers ${title}`,
    ),
    ...(hasBody ? [body === undefined ? create('p', { className: 'dim' }, 'No body') : jsonBlock(body)] : []),
  )
}

/** The newest events of a stream. */
function eventSection(
  { at, state }: Exchange,
  events: readonly SentEvent[],
  shownEvents: number,
  onMore: () => void,
): HTMLElement {
  const first = Math.max(0, events.length - shownEvents)
  const more = create(
    'button',
    { type: 'button', className: 'button', onclick: onMore },
    `Show ${Math.min(first, SHOWN_EVENTS)} earlier of ${first}`,
  )
  const items = events.slice(first).map((event, index) => {
    const text = typeof event.data === 'string' ? event.data : JSON.stringify(event.data)
    const summary = create(
      'summary',
      {},
      create('span', { className: 'at' }, `+${duration(event.at - at)}`),
      create('b', {}, event.event),
      create('span', { className: 'preview' }, text.slice(0, 300)),
    )
    const details = create('details', {}, summary)
    // Most events are never opened.
    details.addEventListener('toggle', () => details.childElementCount === 1 && details.append(jsonBlock(event.data)))
    return create('li', {}, keyed(details, `event ${first + index}`))
  })
  const total = `${count(events.length, 'event')}${state === 'ended' ? '' : ', in progress'}`
  return create(
    'section',
    { className: 'part', ariaLabel: 'Events' },
    create('h3', {}, 'Events ', create('span', { className: 'n' }, total)),
    ...(first > 0 ? [keyed(more, 'more')] : []),
    create('ol', { className: 'events' }, ...items),
  )
}
