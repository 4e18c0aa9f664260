import { create } from '../../../../pages/browser/create.ts'
import { curl } from '../../../http/curl.ts'
import type { AssistantDetail } from '../../inspect/inspection.ts'
import type { Api } from './api.ts'
import { copyButton } from './copy.ts'
import { refreshed } from './refreshed.ts'

/** What the list shows before the first request. */
export interface EmptyRequests {
  readonly element: HTMLElement
  /** Shows a request that this server can answer. Rejects with Refused. */
  refresh(): Promise<void>
}

export function createEmptyRequests(api: Api): EmptyRequests {
  const example = create('div', {})
  const show = refreshed<{ graph: string | undefined; session: string }>(example, ({ graph, session }) =>
    graph === undefined ? [] : exampleOf(graph, session),
  )
  return {
    element: create(
      'div',
      { className: 'empty', hidden: true },
      create('h2', {}, 'No requests yet'),
      create('p', {}, 'Point your client to this server.'),
      example,
      create('p', { className: 'dim' }, `Base URL of this server: ${location.origin}`),
    ),
    refresh: async () => {
      const { session } = api
      const { assistants } = await api.get<{ assistants: readonly AssistantDetail[] }>('assistants')
      const { graph_id } = assistants.find((assistant) => assistant.graph_id === 'echo') ?? assistants[0] ?? {}
      show({ graph: graph_id, session })
    },
  }
}

function exampleOf(graph: string, session: string): Node[] {
  const command = curl({
    method: 'POST',
    url: `${location.origin}/runs/stream`,
    headers: {
      'content-type': 'application/json',
      ...(session !== '' && { 'x-touchstone-session': session }),
    },
    body: { assistant_id: graph, input: { messages: [{ role: 'user', content: 'Hello!' }] } },
    streams: true,
  })
  return [
    create('p', {}, 'Or send a first request:'),
    create('pre', { tabIndex: 0 }, command),
    create(
      'p',
      { className: 'actions' },
      copyButton('Copy the command', () => command),
    ),
  ]
}
