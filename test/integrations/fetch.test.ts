import { Client } from '@langchain/langgraph-sdk'
import { expect, test } from 'vitest'
import { createMockServer, pause, stream } from '../../index.ts'
import { say } from '../fixtures/mock-client.ts'

const POST = { method: 'POST', body: JSON.stringify({ assistant_id: 'bot', ...say('hi') }) }

test('mock.fetch is a fetch function for the public SDK', async () => {
  const mock = createMockServer()
  const client = new Client({ apiUrl: 'http://agent.test', callerOptions: { fetch: mock.fetch } })

  expect(await client.threads.create({ metadata: { a: 1 } })).toMatchObject({ status: 'idle', metadata: { a: 1 } })
})

test('accepts a URL, a Request or a path', async () => {
  const { fetch } = createMockServer()
  const inputs = ['http://agent.test/ok', '/ok', new URL('http://agent.test/ok'), new Request('http://agent.test/ok')]

  for (const input of inputs) expect(await (await fetch(input)).json()).toEqual({ ok: true })
  expect((await fetch(new Request('http://agent.test/threads'), { method: 'POST', body: '{}' })).status).toBe(200)
  const expected = 'Expected a Request, or a URL such as "http://mock/threads", received'
  await expect(fetch(undefined as unknown as string)).rejects.toThrow(`${expected} undefined`)
  await expect(fetch('http://[')).rejects.toThrow(`${expected} "http://["`)
})

test('rejects a request whose signal is already aborted', async () => {
  const mock = createMockServer({ journal: true })
  const signal = AbortSignal.abort(new Error('changed my mind'))

  await expect(mock.fetch('/threads', { method: 'POST', body: '{}', signal })).rejects.toThrow('changed my mind')
  expect(mock.journal.calls()).toEqual([])
})

test('an abort rejects the pending fetch and is recorded as a disconnect', async () => {
  const mock = createMockServer({ journal: true })
  mock.script('bot', [pause(60_000), 'late'])
  const controller = new AbortController()
  const response = mock.fetch('/runs/wait', { ...POST, signal: controller.signal })
  await mock.journal.waitFor({ route: 'POST /runs/wait' }, { until: 'arrived' })

  controller.abort()
  await expect(response).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  expect(await mock.journal.waitFor({ route: 'POST /runs/wait' }, { until: 'ended' })).toMatchObject([
    { failure: 'client left' },
  ])
  await mock.close()
})

test.each(['a slow graph', 'a stalled stream'])('an abort fails the body of %s with its reason', async (cause) => {
  const mock = createMockServer({ journal: true })
  mock.script('bot', [stream('one two three'), pause(60_000)])
  if (cause === 'a stalled stream') mock.faults.add({ type: 'stall', after: 1 })
  const controller = new AbortController()
  const { body } = await mock.fetch('/runs/stream', { ...POST, signal: controller.signal })
  const reader = body?.getReader()
  await reader?.read()

  controller.abort(new Error('enough'))
  await expect(
    (async () => {
      while (!(await reader?.read())?.done);
    })(),
  ).rejects.toThrow('enough')
  expect(await mock.journal.waitFor({ route: 'POST /runs/stream' }, { until: 'ended' })).toMatchObject([
    { failure: 'client left' },
  ])
  await mock.close()
})
