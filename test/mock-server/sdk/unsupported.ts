import type { Client } from '@langchain/langgraph-sdk'
import { expect } from 'vitest'
import { NOWHERE, type SdkCall } from './context.ts'

/** A call that the server does not support: it returns a 404 with the reason, which the client does not retry. */
function unsupported(
  method: string,
  request: string,
  feature: string,
  call: (client: Client) => Promise<unknown>,
): SdkCall {
  const attempt: SdkCall['try'] = async ({ client, requests }) => {
    await expect(call(client)).rejects.toThrow(new RegExp(`HTTP 404: .*This server does not offer ${feature}`))
    expect(requests).toHaveLength(1)
  }
  return { method, request, works: false, try: attempt }
}

const schedule = { schedule: '0 * * * *' }

export const unsupportedCalls: readonly SdkCall[] = [
  unsupported('crons.createForThread', 'POST /threads/{thread_id}/runs/crons', 'crons', ({ crons }) =>
    crons.createForThread(NOWHERE, 'echo', schedule),
  ),
  unsupported('crons.create', 'POST /runs/crons', 'crons', ({ crons }) => crons.create('echo', schedule)),
  unsupported('crons.update', 'PATCH /runs/crons/{cron_id}', 'crons', ({ crons }) => crons.update(NOWHERE, schedule)),
  unsupported('crons.delete', 'DELETE /runs/crons/{cron_id}', 'crons', ({ crons }) => crons.delete(NOWHERE)),
  unsupported('crons.search', 'POST /runs/crons/search', 'crons', ({ crons }) => crons.search()),
  unsupported('crons.count', 'POST /runs/crons/count', 'crons', ({ crons }) => crons.count()),
]
