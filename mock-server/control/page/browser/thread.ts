import { create } from '../../../../pages/browser/create.ts'
import type { ContentBlock, Message } from '../../../graphs/types.ts'
import type { RunDetail, ThreadDetail } from '../../inspect/threads.ts'
import { duration, instant } from './format.ts'
import { jsonBlock } from './json.ts'
import { keyed } from './keep.ts'

const SHOWN_MESSAGES = 200
const SHOWN_RUNS = 100

/** Returns the content of an opened thread. */
export function renderThread(thread: ThreadDetail): Node[] {
  const { thread_id, status, created_at, updated_at, messages, runs, next, interrupts, metadata, channels } = thread
  const facts = [`created ${instant(created_at)}`, `updated ${instant(updated_at)}`]
  if (next.length > 0) facts.push(`next: ${next.join(', ')}`)
  return [
    create('h2', {}, create('code', {}, thread_id)),
    create('p', { className: 'facts' }, create('span', { className: `v ${status}` }, status), ` ${facts.join(' · ')}`),
    part(
      'Messages',
      messages.length,
      messages.length === 0
        ? create('p', { className: 'dim' }, 'No messages')
        : create('ol', { className: 'messages' }, ...messages.slice(-SHOWN_MESSAGES).map(message)),
    ),
    ...(interrupts.length === 0
      ? []
      : [part('Interrupts', interrupts.length, create('div', {}, ...interrupts.map(({ value }) => jsonBlock(value))))]),
    part(
      'Runs',
      runs.length,
      runs.length === 0
        ? create('p', { className: 'dim' }, 'No runs')
        : create('ul', { className: 'cards' }, ...runs.slice(0, SHOWN_RUNS).map(run)),
    ),
    folded('State without messages', channels),
    folded('Metadata', metadata),
  ]
}

function part(title: string, number: number, content: Node): HTMLElement {
  return create(
    'section',
    { className: 'part', ariaLabel: title },
    create('h3', {}, `${title} `, create('span', { className: 'n' }, String(number))),
    content,
  )
}

/** A JSON value that is shown when it is opened. */
function folded(title: string, value: unknown): HTMLElement {
  return keyed(create('details', { className: 'part' }, create('summary', {}, title), jsonBlock(value)), title)
}

function message({ type, name, content, tool_calls = [], status }: Message): HTMLElement {
  const blocks: readonly ContentBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const parts = blocks.map((block) =>
    block.type === 'text' ? create('p', { className: 'text' }, String(block['text'] ?? '')) : jsonBlock(block),
  )
  const calls = tool_calls.map((call) =>
    create(
      'p',
      { className: 'call' },
      create('span', { className: 'dim' }, 'calls '),
      create('code', {}, `${call.name}(${JSON.stringify(call.args)})`),
    ),
  )
  const author = [type, ...(name === null || name === '' ? [] : [name]), ...(status === 'error' ? ['error'] : [])]
  return create('li', { className: type }, create('b', {}, author.join(' · ')), ...parts, ...calls)
}

function run(details: RunDetail): HTMLElement {
  const { run_id, status, graph_id, created_at, started_at, updated_at, multitask_strategy, error, input } = details
  const took = started_at === undefined ? 'not started' : duration(updated_at - started_at)
  return create(
    'li',
    { className: 'card' },
    create(
      'p',
      {},
      create('span', { className: `v ${status}` }, status),
      ' ',
      create('b', {}, graph_id),
      ' ',
      create('code', { className: 'dim' }, run_id),
    ),
    create('p', { className: 'dim' }, `${instant(created_at)} · ${took} · multitask_strategy: ${multitask_strategy}`),
    ...(error === undefined ? [] : [create('p', { className: 'error' }, error)]),
    keyed(create('details', {}, create('summary', {}, 'Input'), jsonBlock(input)), `input ${run_id}`),
  )
}
