import { setupServer } from 'msw/node'
import { fetch as undiciFetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { handlers } from '../../../mock-server/adapters/msw.ts'
import { listen } from '../../../mock-server/adapters/node.ts'
import { dispatcher } from '../../../mock-server/adapters/undici.ts'
import { createMockServer, type MockServer } from '../../../mock-server/index.ts'

type Send = (
  path: string,
  init?: { method: string; body: string },
) => Promise<Pick<Response, 'status' | 'text' | 'json'>>

const url = 'http://agent.test'

const integrations: Record<string, (mock: MockServer) => Promise<Send>> = {
  fetch: async (mock) => (path, init) => mock.fetch(new Request(url + path, init)),
  node: async (mock) => {
    const server = await listen(mock, { port: 0 })
    onTestFinished(() => server.close())
    return (path, init) => fetch(server.url + path, init)
  },
  msw: async (mock) => {
    const worker = setupServer(...handlers(mock, { url }))
    worker.listen()
    onTestFinished(() => worker.close())
    return (path, init) => fetch(url + path, init)
  },
  undici: async (mock) => {
    const service = dispatcher(mock, { url })
    return (path, init) => undiciFetch(url + path, { ...init, dispatcher: service })
  },
}

test.each(Object.entries(integrations))('faults work with the integration %s', async (integration, open) => {
  const mock = createMockServer({
    faults: [
      { type: 'reset', route: 'GET /ok', nth: 1 },
      { type: 'rate-limit', route: 'GET /ok', nth: 2 },
      { type: 'malformed-json', route: 'GET /ok', nth: 3 },
      { type: 'reset', after: 1, route: 'POST /threads/{thread_id}/runs/stream', nth: 1 },
      { type: 'cut', after: 1, route: 'POST /threads/{thread_id}/runs/stream', nth: 2 },
    ],
  })
  onTestFinished(() => mock.close())
  const send = await open(mock)
  await expect(send('/ok')).rejects.toThrow(TypeError)
  expect((await send('/ok')).status).toBe(429)
  expect(await (await send('/ok')).text()).toBe('{"ok":')
  expect(await (await send('/ok')).json()).toEqual({ ok: true })

  const { thread_id } = (await (await send('/threads', { method: 'POST', body: '{}' })).json()) as { thread_id: string }
  const stream = { method: 'POST', body: '{"assistant_id":"echo","input":{}}' }
  const path = `/threads/${thread_id}/runs/stream`
  const broken = (await send(path, stream)).text()
  // msw ends the body of a response that fails.
  if (integration === 'msw') expect((await broken).match(/^event: /gm)).toHaveLength(1)
  else await expect(broken).rejects.toThrow(TypeError)
  expect((await (await send(path, stream)).text()).match(/^event: /gm)).toHaveLength(1)
})
