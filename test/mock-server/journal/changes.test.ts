import { createParser } from 'eventsource-parser'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import { withControlPlane } from '../../../mock-server/control/control-plane.ts'
import type { JournalChanges } from '../../../mock-server/control/journal/changes.ts'
import { asFetch, type Fetch } from '../../../mock-server/http/handler.ts'
import { createMockServer, type MockServer, type MockServerOptions } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/clock.ts'

const headers = { authorization: 'Bearer let-me-steer' }

function controlled(options: MockServerOptions = {}): { mock: MockServer; fetch: Fetch } {
  const mock = createMockServer({ journal: true, ...options })
  onTestFinished(() => mock.close())
  return { mock, fetch: asFetch(withControlPlane(mock, { token: 'let-me-steer' }).handle) }
}

/** Reads changes of the journal one by one; undefined at the end. */
async function openChanges(fetch: Fetch): Promise<() => Promise<JournalChanges | undefined>> {
  const response = await fetch('http://mock/__touchstone/journal/changes', { headers })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body?.getReader()
  onTestFinished(async () => reader?.cancel())
  const decoder = new TextDecoder()
  const received: JournalChanges[] = []
  const parser = createParser({ onEvent: ({ data }) => received.push(JSON.parse(data)) })
  return async () => {
    while (received.length === 0) {
      const part = await reader?.read()
      if (part === undefined || part.done) return undefined
      parser.feed(decoder.decode(part.value, { stream: true }))
    }
    return received.shift()
  }
}

test('sends the exchanges so far, and then each one as it happens', async () => {
  const { mock, fetch } = controlled()
  await fetch('http://mock/ok')
  const next = await openChanges(fetch)
  expect(await next()).toEqual({
    revision: expect.any(Number),
    calls: [
      {
        id: 1,
        method: 'GET',
        url: 'http://mock/ok',
        route: 'GET /ok',
        at: expect.any(Number),
        state: 'ended',
        status: 200,
        endedAt: expect.any(Number),
        isStream: false,
        size: 11,
      },
    ],
    isComplete: true,
    oldest: 1,
    dropped: 0,
  })
  await fetch('http://mock/threads?token=tell-nobody', { method: 'POST', body: '{}' })
  const changes = await next()
  expect(changes?.calls).toMatchObject([{ id: 2, route: 'POST /threads', status: 200 }])
  expect(JSON.stringify(changes)).not.toContain('tell-nobody')
  mock.journal.clear()
  expect(await next()).toMatchObject({ calls: [], oldest: 3 })
})

test('a stream is sent again while it grows', async () => {
  const clock = manualClock(0)
  const { fetch } = controlled({ clock })
  const next = await openChanges(fetch)
  await next()
  const body = JSON.stringify({ assistant_id: 'slow', input: { messages: [{ role: 'user', content: 'Hi' }] } })
  const stream = await fetch('http://mock/runs/stream', { method: 'POST', body })
  expect(await next()).toMatchObject({ calls: [{ id: 1, state: 'answered', status: 200, isStream: true }] })
  const reading = stream.text()
  await clock.advance(60_000)
  const text = await reading
  let last = await next()
  while (last?.calls[0]?.state !== 'ended') last = await next()
  expect(last.calls).toMatchObject([{ id: 1, size: new TextEncoder().encode(text).length }])
})

test('a reader that was busy gets each exchange once, as it is now', async () => {
  const { mock, fetch } = controlled({ journal: { maxEntries: 700 } })
  const next = await openChanges(fetch)
  await next()
  for (let number = 0; number < 800; number++) await fetch('http://mock/ok')
  const [first, second] = [await next(), await next()]
  expect([first?.calls.length, first?.isComplete, second?.calls.length, second?.isComplete]).toEqual([
    500,
    false,
    200,
    true,
  ])
  expect(second).toMatchObject({ oldest: 101, dropped: 100 })
  const ids = [...(first?.calls ?? []), ...(second?.calls ?? [])].map(({ id }) => id)
  expect(new Set(ids)).toEqual(new Set(mock.journal.calls().map(({ id }) => id)))
})

test('ends when the mock server is closed, also over TCP', async () => {
  const { mock, fetch } = controlled()
  const inProcess = await openChanges(fetch)
  const server = await listen(mock, { port: 0, ui: true })
  const overTcp = await openChanges((_, init) => globalThis.fetch(`${server.url}/__touchstone/journal/changes`, init))
  await Promise.all([inProcess(), overTcp()])
  await mock.close()
  expect([await inProcess(), await overTcp()]).toEqual([undefined, undefined])
  await server.close()
})

test('a server with an open stream of changes can be closed', async () => {
  const { mock } = controlled()
  const server = await listen(mock, { port: 0, ui: true })
  const response = await fetch(`${server.url}/__touchstone/journal/changes`)
  const reader = response.body?.getReader()
  await reader?.read()
  await server.close()
  await expect(reader?.read()).rejects.toThrow()
})
