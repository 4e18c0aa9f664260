import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { handlers } from '../../mock-server/adapters/msw.ts'
import { gatedMock } from '../fixtures/gated-mock.ts'
import { leave, talk, watch } from '../fixtures/integration-clients.ts'

const url = 'http://agent.test'
const server = setupServer()

beforeAll(() => server.listen({ onUnhandledFrame: 'bypass' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

function open(at = url) {
  const gated = gatedMock()
  server.use(...handlers(gated.mock, { url: at }))
  return gated
}

test('serves the public SDK without a port', async () => {
  open()

  expect(await talk(url)).toEqual(['hello', 'first: hello', 'second: hello'])
})

test('delivers a stream event by event', async () => {
  expect(await watch(url, open(), fetch)).toEqual([['before'], ['before', 'wait', 'after']])
})

test('stops a run when the client disconnects', async () => {
  await leave(url, open())
})

test('responds to requests of node:http', async () => {
  open()

  const [response]: IncomingMessage[] = await once(http.get(`${url}/ok`), 'response')

  expect(response && (await json(response))).toEqual({ ok: true })
})

test('supports a base URL with a path', async () => {
  open('http://agent.test/api/')

  expect(await talk('http://agent.test/api')).toEqual(['hello', 'first: hello', 'second: hello'])
  await expect(fetch('http://agent.test/apis/ok')).rejects.toThrow()
})

test('a reset fault is a network error', async () => {
  const { mock } = open()
  mock.faults.add({ type: 'reset', first: 1 })

  await expect(fetch(`${url}/ok`)).rejects.toThrow('fetch failed')
  expect((await fetch(`${url}/ok`)).status).toBe(200)
})

test('does not handle requests to other origins', async () => {
  open()

  await expect(fetch('http://other.test/ok')).rejects.toThrow()
  await expect(fetch('https://agent.test/ok')).rejects.toThrow()
})

test('rejects an invalid URL', () => {
  const { mock } = gatedMock()

  expect(() => handlers(mock, { url: 'agent.test' })).toThrow(
    'Expected a url such as http://agent.test, received "agent.test"',
  )
})

/** Runs a script in which a client leaves a stream of a plain msw handler; returns its stderr. */
async function stderrOf(statement: string): Promise<string> {
  const script = `
    import { HttpResponse, http } from 'msw'
    import { setupServer } from 'msw/node'
    const start = (controller) => controller.enqueue(new Uint8Array(1))
    setupServer(http.get('${url}', () => new HttpResponse(new ReadableStream({ start })))).listen()
    const controller = new AbortController()
    const reader = (await fetch('${url}', { signal: controller.signal })).body.getReader()
    await reader.read()
    const end = reader.read().then(() => undefined, () => undefined)
    ${statement}
    await end
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    console.error('done')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return text(child.stderr)
}

// A failure here means that msw fixed the bug: remove the warning in docs/guides/integrations.md.
test.each([
  ['aborts in a callback', 'setImmediate(() => controller.abort())', 'assert(!this.aborted)'],
  ['cancels in a callback', 'setImmediate(() => reader.cancel())', 'assert(!this.aborted)'],
  ['aborts after an await', 'await undefined; controller.abort()', 'done\n'],
])('plain msw with a client that %s', async (_, statement, expected) => {
  expect(await stderrOf(statement)).toContain(expected)
})
