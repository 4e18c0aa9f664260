import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { markChanges } from '../../../targets/mutants/mark-changes.ts'
import { startDeploymentServer } from '../../../targets/reference-server.ts'
import type { Fetch } from '../../../targets/wrappers/fetch.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Streams a run of a wrapped server to the end, and closes the server. Returns its handler, unless it has been freed. */
async function useServer(): Promise<WeakRef<Fetch>> {
  const handlers: WeakRef<Fetch>[] = []
  const server = await startDeploymentServer({
    customAuth: false,
    wrap: (fetch) => {
      handlers.push(new WeakRef(fetch))
      return markChanges((inner) => inner)(fetch)
    },
  })
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await request(server.endpoint.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return response.body.text()
  }
  const { thread_id } = JSON.parse(await post('/threads', {}))
  expect(await post(`/threads/${thread_id}/runs/stream`, { assistant_id: 'echo', input: {} })).toContain('metadata')
  await server.close()
  const [handler] = handlers
  if (handler === undefined) throw new Error('expected that the server is wrapped')
  return handler
}

test('a wrapped server that has streamed a run is freed', async () => {
  const handlers = await Promise.all([useServer(), useServer(), useServer()])
  await expect
    .poll(async () => {
      await setTimeout(10)
      collect()
      return handlers.filter((handler) => handler.deref() !== undefined).length
    })
    .toBe(0)
})
