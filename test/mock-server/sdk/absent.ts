import type { Client } from '@langchain/langgraph-sdk'
import { expect } from 'vitest'
import { NOWHERE, type SdkCall } from './scene.ts'

/** A call that the server does not offer: a 404 that says so, which the client does not try again. */
function absent(method: string, request: string, words: string, call: (client: Client) => Promise<unknown>): SdkCall {
  const attempt: SdkCall['try'] = async ({ client, sent }) => {
    await expect(call(client)).rejects.toThrow(new RegExp(`HTTP 404: .*This server does not offer ${words}`))
    expect(sent).toHaveLength(1)
  }
  return { method, request, works: false, try: attempt }
}

const schedule = { schedule: '0 * * * *' }

export const absentCalls: readonly SdkCall[] = [
  absent('crons.createForThread', 'POST /threads/{thread_id}/runs/crons', 'crons', ({ crons }) =>
    crons.createForThread(NOWHERE, 'echo', schedule),
  ),
  absent('crons.create', 'POST /runs/crons', 'crons', ({ crons }) => crons.create('echo', schedule)),
  absent('crons.update', 'PATCH /runs/crons/{cron_id}', 'crons', ({ crons }) => crons.update(NOWHERE, schedule)),
  absent('crons.delete', 'DELETE /runs/crons/{cron_id}', 'crons', ({ crons }) => crons.delete(NOWHERE)),
  absent('crons.search', 'POST /runs/crons/search', 'crons', ({ crons }) => crons.search()),
  absent('crons.count', 'POST /runs/crons/count', 'crons', ({ crons }) => crons.count()),
  absent('store.putItem', 'PUT /store/items', 'the store', ({ store }) => store.putItem(['a'], 'b', { c: 1 })),
  absent('store.getItem', 'GET /store/items', 'the store', ({ store }) => store.getItem(['a'], 'b')),
  absent('store.deleteItem', 'DELETE /store/items', 'the store', ({ store }) => store.deleteItem(['a'], 'b')),
  absent('store.searchItems', 'POST /store/items/search', 'the store', ({ store }) => store.searchItems(['a'])),
  absent('store.listNamespaces', 'POST /store/namespaces', 'the store', ({ store }) => store.listNamespaces()),
]
