import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import type { Fault } from '../../../mock-server/control/faults/fault.ts'
import { createMockServer } from '../../../mock-server/index.ts'

/** The URL of a server with these faults, and the errors that it reports. */
async function listening(...faults: Fault[]): Promise<{ url: string; errors: unknown[] }> {
  const mock = createMockServer({ faults })
  const errors: unknown[] = []
  const server = await listen(mock, { port: 0, onError: (error) => errors.push(error) })
  onTestFinished(async () => {
    await server.close()
    await mock.close()
  })
  return { url: server.url, errors }
}

async function stream(url: string): Promise<Response> {
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  const { thread_id } = (await (await post('/threads', {})).json()) as { thread_id: string }
  return post(`/threads/${thread_id}/runs/stream`, { assistant_id: 'echo', input: {}, stream_mode: ['values'] })
}

test('reset destroys the socket', async () => {
  const { url, errors } = await listening({ type: 'reset', nth: 1 })
  await expect(fetch(`${url}/ok`)).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } })
  expect(await (await fetch(`${url}/ok`)).json()).toEqual({ ok: true })
  expect(errors).toEqual([])
})

test.each([0, 1, 2])('reset interrupts a stream after the delivery of %i events', async (after) => {
  const { url, errors } = await listening({ type: 'reset', after, route: 'POST /threads/{thread_id}/runs/stream' })
  let text = ''
  const reading = async (): Promise<void> => {
    for await (const part of (await stream(url)).body?.pipeThrough(new TextDecoderStream()) ?? []) text += part
  }
  await expect(reading()).rejects.toThrow('terminated')
  expect(text.match(/^event: /gm) ?? []).toHaveLength(after)
  expect(errors).toEqual([])
})

test('cut ends a stream like a complete one', async () => {
  const { url } = await listening({ type: 'cut', after: 2 })
  expect((await (await stream(url)).text()).match(/^event: /gm)).toHaveLength(2)
})

test('an abort of the client during latency is not an error of the server', async () => {
  const { url, errors } = await listening({ type: 'latency', ms: 3_600_000, nth: 1 })
  const controller = new AbortController()
  const response = fetch(`${url}/ok`, { signal: controller.signal })
  await fetch(`${url}/ok`)
  controller.abort()
  await expect(response).rejects.toThrow('aborted')
  await fetch(`${url}/ok`)
  expect(errors).toEqual([])
})

test('a stalled stream does not keep the server from closing', async () => {
  const { url } = await listening({ type: 'stall', after: 1 })
  const reader = (await stream(url)).body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
})
