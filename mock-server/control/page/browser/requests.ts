import { create } from '../../../../pages/browser/create.ts'
import type { CallSummary } from '../../journal/changes.ts'
import type { Exchange } from '../../journal/exchange.ts'
import type { Api } from './api.ts'
import { attempt } from './attempt.ts'
import { filterCalls, kinds } from './call-filter.ts'
import type { CallLog } from './call-log.ts'
import { type Range, renderCall } from './call-row.ts'
import { createEmptyRequests } from './empty-requests.ts'
import { renderExchange } from './exchange.ts'
import { count } from './format.ts'
import { replaceKeeping } from './keep.ts'
import { inNextFrame } from './next-frame.ts'
import { saveButtons } from './save.ts'
import { createSplit } from './split.ts'
import { hrefOf, type View } from './view.ts'
import { createVirtualList } from './virtual-list.ts'

const EVENTS_PER_PAGE = 200

/** The requests as they happen. `serverNow` returns the time of the server's clock. */
export function requestsView(api: Api, log: CallLog, serverNow: () => number): View {
  const split = createSplit('requests', 'Requests')
  const query = create('input', {
    type: 'search',
    placeholder: 'All words must match: post 404 threads',
    title: 'Shows the requests whose method, status and path contain all of these words',
    autocomplete: 'off',
    spellcheck: false,
    ariaLabel: 'Filter requests',
  })
  query.setAttribute('aria-keyshortcuts', '/')
  const kind = create('select', { ariaLabel: 'Kind' }, ...Object.keys(kinds).map((name) => create('option', {}, name)))
  const status = create('p', { className: 'hint' })
  const newest = create('button', { type: 'button', className: 'button newest', hidden: true }, 'Show the newest')
  const empty = createEmptyRequests(api)
  const nothing = create('p', { className: 'empty', hidden: true }, 'No request matches the filter.')

  let shown: readonly CallSummary[] = []
  let range: Range = { from: 0, to: 1 }
  let opened = 0
  let shownEvents = EVENTS_PER_PAGE

  const list = createVirtualList<CallSummary>({
    label: 'Requests',
    beforeRows: (visible) => {
      const ends = visible.map(({ endedAt }) => endedAt ?? serverNow())
      range = { from: Math.min(...visible.map(({ at }) => at)), to: Math.max(...ends) }
      newest.hidden = list.isAtEnd
    },
    renderRow: (row, call) => renderCall(row, call, range, serverNow()),
    onOpen: ({ id }) => {
      location.hash = hrefOf('requests', String(id))
    },
  })
  newest.addEventListener('click', () => {
    list.scrollToEnd()
    list.focus()
  })

  const apply = (): void => {
    const { calls, dropped } = log
    shown = filterCalls(calls, kind.value, query.value)
    const all = `${count(calls.length, 'request')}${dropped > 0 ? `, ${dropped} older ones dropped` : ''}`
    status.textContent = shown.length === calls.length ? all : `${shown.length.toLocaleString('en-US')} of ${all}`
    empty.element.hidden = calls.length > 0
    nothing.hidden = calls.length === 0 || shown.length > 0
    list.element.hidden = shown.length === 0
    list.setItems(shown)
    list.select(shown.findIndex(({ id }) => id === opened))
    if (opened !== 0 && log.get(opened) === undefined) {
      loaded = undefined
      split.detail.replaceChildren(create('p', { className: 'dim' }, `Request ${opened} is not in the journal.`))
    }
  }
  const schedule = inNextFrame(apply)

  const showExchange = (exchange: Exchange): void => {
    const more = (): void => {
      shownEvents += EVENTS_PER_PAGE
      showExchange(exchange)
    }
    replaceKeeping(split.detail, ...renderExchange(exchange, shownEvents, more))
  }
  let loaded: CallSummary | undefined
  let isLoading = false
  /** Loads the opened exchange, until it is shown as it is in the log. */
  const loadOpened = async (): Promise<void> => {
    if (isLoading) return
    isLoading = true
    try {
      for (let call = log.get(opened); call !== undefined && call !== loaded; call = log.get(opened)) {
        loaded = call
        const { calls } = await api.get<{ calls: readonly Exchange[] }>(`journal?ids=${call.id}`)
        const [exchange] = calls
        if (exchange?.id === opened) showExchange(exchange)
      }
    } finally {
      isLoading = false
    }
  }

  const clear = create('button', { type: 'button', className: 'button' }, 'Clear')
  clear.addEventListener('click', () => attempt(api.send('DELETE', 'journal')))
  const save = saveButtons(api, () => (shown.length === log.calls.length ? undefined : shown.map(({ id }) => id)))
  const search = create('form', { className: 'toolbar', role: 'search' }, query, kind, ...save.buttons, clear)
  search.addEventListener('submit', (event) => event.preventDefault())
  search.addEventListener('input', () => {
    save.result.hidden = true
    apply()
  })
  split.list.append(search, status, save.result, list.element, newest, empty.element, nothing)
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, select, textarea')
    if (event.key !== '/' || isTyping || split.element.hidden) return
    event.preventDefault()
    query.focus()
  })
  log.onChange(() => {
    schedule()
    save.enable(log.calls.length > 0)
    attempt(loadOpened())
  })

  return {
    name: 'requests',
    title: 'Requests',
    element: split.element,
    show: (argument) => {
      const id = Number(argument) || 0
      if (id !== opened) {
        opened = id
        loaded = undefined
        shownEvents = EVENTS_PER_PAGE
        split.detail.replaceChildren()
        split.detail.parentElement?.scrollTo(0, 0)
      }
      split.toggle(id !== 0)
      apply()
      attempt(loadOpened())
    },
    refresh: async () => {
      // The bars of requests in progress grow.
      if (shown.some(({ state }) => state !== 'ended')) schedule()
      if (log.calls.length === 0) await empty.refresh()
      await loadOpened()
    },
  }
}
