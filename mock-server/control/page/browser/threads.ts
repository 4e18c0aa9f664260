import { create } from '../../../../pages/browser/create.ts'
import type { ThreadPage } from '../../inspect/inspection.ts'
import type { ThreadDetail, ThreadSummary } from '../../inspect/threads.ts'
import { type Api, Refused } from './api.ts'
import { attempt } from './attempt.ts'
import { count, instant } from './format.ts'
import { keyed } from './keep.ts'
import { refreshed } from './refreshed.ts'
import { createSplit } from './split.ts'
import { renderThread } from './thread.ts'
import { hrefOf, type View } from './view.ts'

const PAGE = 200

/** The threads, newest first, and one of them with its messages and runs. */
export function threadsView(api: Api): View {
  const split = createSplit('threads', 'Threads')
  let opened = ''
  let offset = 0
  const turn = (pages: number): void => {
    offset = Math.max(0, offset + pages * PAGE)
    attempt(view.refresh())
  }
  const showList = refreshed<ThreadPage & { opened: string }>(split.list, ({ threads, total }) => {
    if (total === 0) return [emptyThreads()]
    return [
      create('p', { className: 'hint' }, `${count(total, 'thread')}, newest first`),
      create('ul', { className: 'items' }, ...threads.map((thread) => item(thread, thread.thread_id === opened))),
      ...pager(threads.length, total),
    ]
  })
  const pager = (shown: number, total: number): Node[] => {
    if (total <= PAGE) return []
    const button = (label: string, pages: number, disabled: boolean): HTMLButtonElement =>
      keyed(
        create('button', { type: 'button', className: 'button', disabled, onclick: () => turn(pages) }, label),
        label,
      )
    const place = `${offset + 1} to ${offset + shown} of ${total}`
    return [
      create(
        'p',
        { className: 'actions' },
        button('Newer', -1, offset === 0),
        button('Older', 1, offset + shown >= total),
        place,
      ),
    ]
  }
  const showThread = refreshed<ThreadDetail | string>(split.detail, (thread) =>
    typeof thread === 'string' ? [create('p', { className: 'notice' }, thread)] : renderThread(thread),
  )
  const read = async (id: string): Promise<ThreadDetail | string> => {
    try {
      return await api.get<ThreadDetail>(`threads/${encodeURIComponent(id)}`)
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return error.message
      throw error
    }
  }
  const view: View = {
    name: 'threads',
    title: 'Threads',
    element: split.element,
    show: (argument) => {
      opened = argument
      split.toggle(opened !== '')
    },
    refresh: async () => {
      const id = opened
      const page = await api.get<ThreadPage>(`threads?limit=${PAGE}&offset=${offset}`)
      showList({ ...page, opened })
      if (id === '') return
      const thread = await read(id)
      if (id === opened) showThread(thread)
    },
  }
  return view
}

function emptyThreads(): HTMLElement {
  return create(
    'div',
    { className: 'empty' },
    create('h2', {}, 'No threads yet'),
    create('p', {}, 'A thread appears here when a client creates one, or a run without one.'),
  )
}

function item(thread: ThreadSummary, isOpened: boolean): HTMLElement {
  const { thread_id, status, created_at, messages, runs, preview } = thread
  const text = messages === 0 ? 'No messages' : preview
  const link = create(
    'a',
    { href: hrefOf('threads', thread_id) },
    create('code', {}, thread_id),
    create('span', { className: `v ${status}` }, status),
    ...(text === '' ? [] : [create('span', { className: 'preview' }, text)]),
    create(
      'span',
      { className: 'dim' },
      `${count(messages, 'message')}, ${count(runs, 'run')}, ${instant(created_at)}`,
    ),
  )
  if (isOpened) link.ariaCurrent = 'true'
  return create('li', {}, keyed(link, thread_id))
}
