import { create } from '../../../../pages/browser/create.ts'
import { copyButton } from './copy.ts'

/** What the list shows before the first request: one that can be sent. */
export function emptyRequests(): HTMLElement {
  const body = '{ "assistant_id": "echo", "input": { "messages": [{ "role": "user", "content": "Hello!" }] } }'
  const command = `curl -N ${location.origin}/runs/stream \\\n  --json '${body}'`
  return create(
    'div',
    { className: 'empty', hidden: true },
    create('h2', {}, 'No requests yet'),
    create('p', {}, 'Point your client to this server, or send a first request:'),
    create('pre', { tabIndex: 0 }, command),
    create(
      'p',
      { className: 'actions' },
      copyButton('Copy the command', () => command),
    ),
    create('p', { className: 'dim' }, `Base URL of this server: ${location.origin}`),
  )
}
