import { once } from 'node:events'
import { type IncomingMessage, type RequestListener, request } from 'node:http'
import type { Writable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { Client } from '@langchain/langgraph-sdk'
import { expect, onTestFinished, test } from 'vitest'
import { startProxy } from '../../cli/record/proxy.ts'
import { createRecorder, type Recorder } from '../../cli/record/recorder.ts'
import { sessionOf } from '../../mock-server/control/journal/scenario.ts'
import type { Scenario } from '../../mock-server/scripting/scenario.ts'
import { interrupt } from '../../mock-server/scripting/steps.ts'
import { httpServer } from '../fixtures/http-server.ts'
import { withoutIds } from '../fixtures/sdk-session.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

/** Starts a server and a proxy in front of it until the test ends. */
async function proxied(listener: RequestListener): Promise<{ url: string; recorder: Recorder; failures: string[] }> {
  const recorder = createRecorder()
  const failures: string[] = []
  const target = new URL(`${await httpServer(listener)}/base/`)
  const proxy = await startProxy({ target, port: 0, recorder, onFailure: (reason) => failures.push(reason) })
  onTestFinished(() => proxy.close())
  return { url: proxy.url, recorder, failures }
}

/** The recorded exchanges of a scenario. */
function exchangesOf(recorder: Recorder) {
  return sessionOf(recorder, 'http://target').recording.exchanges
}

test('passes on headers and bodies, except the headers of a connection', async () => {
  let received: IncomingMessage | undefined
  const { url, recorder } = await proxied((incoming, response) => {
    received = incoming
    response.sendDate = false
    response.writeHead(201, 'Made', [
      ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Mixed-Case', 'yes', 'Connection', 'close, X-Hop', 'X-Hop', 'no'],
    ])
    incoming.pipe(response)
  })
  const headers = {
    'X-Own': 'ü'.normalize(),
    Connection: 'X-Secret-Hop',
    'X-Secret-Hop': '1',
    'Accept-Encoding': 'gzip',
  }
  const sent = request(`${url}/echo?a=1`, { method: 'PUT', headers: { ...headers, 'X-Own': 'yes' } })
  sent.end('{"text":"grün"}')
  const [response] = (await once(sent, 'response')) as [IncomingMessage]

  expect(await text(response)).toBe('{"text":"grün"}')
  expect(response).toMatchObject({ statusCode: 201, statusMessage: 'Made' })
  expect(response.rawHeaders).toEqual(expect.arrayContaining(['X-Mixed-Case', 'Set-Cookie', 'a=1', 'b=2']))
  expect(response.headers).not.toHaveProperty('x-hop')
  expect(response.headers).not.toHaveProperty('date')
  expect(received).toMatchObject({ method: 'PUT', url: '/base/echo?a=1' })
  expect(received?.headers).toMatchObject({ 'x-own': 'yes', 'accept-encoding': 'identity' })
  expect(received?.headers).not.toHaveProperty('x-secret-hop')
  expect(exchangesOf(recorder)).toMatchObject([
    {
      request: { method: 'PUT', path: '/base/echo?a=1', body: { text: 'grün' } },
      response: { status: 201, headers: { 'x-mixed-case': 'yes' }, body: [{ text: '{"text":"grün"}' }] },
    },
  ])
})

test('passes on the parts of a stream as they arrive, and records their events', async () => {
  const proceed = Promise.withResolvers<void>()
  // A character in two parts.
  const [first, second] = [Buffer.from('data: {"n":"é'), Buffer.from('"}\n\ndata: 2\r\n\r\n: beat\n\ndata: open')]
  const { url, recorder } = await proxied(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(first.subarray(0, -1))
    await proceed.promise
    response.write(first.subarray(-1))
    response.end(second)
  })
  const { body } = await fetch(url)
  const reader = body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? [])).toEqual(first.subarray(0, -1))
  proceed.resolve()
  const rest: Uint8Array[] = []
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) rest.push(part.value)

  expect(Buffer.concat([first.subarray(0, -1), ...rest])).toEqual(Buffer.concat([first, second]))
  const [exchange] = exchangesOf(recorder)
  expect(exchange?.response?.body.map(({ text }) => text)).toEqual([
    'data: {"n":"é"}\n\n',
    'data: 2\r\n\r\n',
    ': beat\n\n',
    'data: open',
  ])
  expect(exchange).not.toHaveProperty('failure')
})

test('a connection that the server breaks is broken for the client, too', async () => {
  const { url, recorder, failures } = await proxied((incoming, response) => {
    if (incoming.url === '/base/before') return incoming.socket.resetAndDestroy()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\n\n', () => response.destroy())
    return undefined
  })
  const expectBroken = async (base: string): Promise<void> => {
    await expect(fetch(`${base}/before`)).rejects.toThrow('fetch failed')
    await expect((await fetch(`${base}/within`)).text()).rejects.toThrow('terminated')
  }
  await expectBroken(url)

  expect(exchangesOf(recorder)).toMatchObject([
    { request: { path: '/base/before' }, failure: 'connection reset' },
    { request: { path: '/base/within' }, failure: 'connection reset', response: { body: [{ text: 'data: 1\n\n' }] } },
  ])
  expect(failures).toEqual([expect.stringMatching(/^GET \/base\/before: /)])
  const { recording } = sessionOf(recorder, 'http://target')
  await expectBroken(`${await startMockServer({ scenario: { recording } })}/base`)
})

test('a client that disconnects is disconnected from the server', async () => {
  const left = Promise.withResolvers<void>()
  const { url, recorder } = await proxied((_, response) => {
    response.once('close', left.resolve)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\n\n')
  })
  const leaving = new AbortController()
  const { body } = await fetch(url, { signal: leaving.signal })
  await body?.getReader().read()
  leaving.abort()
  await left.promise

  expect(exchangesOf(recorder)).toMatchObject([
    { failure: 'client left', response: { body: [{ text: 'data: 1\n\n' }] } },
  ])
})

test.each(['response', 'request'])('a slow reader of a %s slows its sender down', async (slow) => {
  const chunk = Buffer.alloc(2 ** 16)
  const size = 1024 * chunk.length
  let written = 0
  const send = async (to: Writable): Promise<void> => {
    for (; written < size; written += chunk.length) if (!to.write(chunk)) await once(to, 'drain')
    to.end()
  }
  const incoming = Promise.withResolvers<IncomingMessage>()
  const { url } = await proxied((received, response) => {
    if (slow === 'response') return send(response)
    received.once('end', () => response.end())
    return incoming.resolve(received)
  })
  const sent = request(url, { method: 'POST' })
  const responded = once(sent, 'response')
  if (slow === 'response') {
    sent.once('response', incoming.resolve).end()
  } else void send(sent)
  const reader = await incoming.promise

  let before = 0
  const isBlocked = (): boolean => {
    const isSame = written > 0 && written === before
    before = written
    return isSame
  }
  await expect.poll(isBlocked, { interval: 100 }).toBe(true)
  expect(written).toBeLessThan(size)
  let read = 0
  for await (const part of reader as AsyncIterable<Buffer>) read += part.length
  expect(read).toBe(size)
  await responded
})

test('an interrupt is resumed in the replay as in the recording', async () => {
  const scenario: Scenario = { graphs: { support: [[interrupt({ question: 'Refund?' }), 'Refunded.']] } }
  const converse = async (apiUrl: string): Promise<string[]> => {
    const client = new Client({ apiUrl })
    const { thread_id } = await client.threads.create()
    const asked = await client.runs.wait(thread_id, 'support', { input: {} })
    const state = await client.threads.getState(thread_id)
    const resumed = await client.runs.wait(thread_id, 'support', { command: { resume: 'yes' } })
    return [asked, state, resumed].map((value) => JSON.stringify(value))
  }
  const recorder = createRecorder()
  const target = new URL(await startMockServer({ scenario }))
  const proxy = await startProxy({ target, port: 0, recorder, onFailure: expect.fail })
  const recorded = await converse(proxy.url)
  await proxy.close()
  const { recording } = sessionOf(recorder, target.href)
  const replayed = await converse(await startMockServer({ scenario: { recording } }))

  expect(recorded[0]).toMatch(/"__interrupt__":.*Refund\?/)
  expect(withoutIds(replayed)).toEqual(withoutIds(recorded))
})

test('a server may respond before it has read the request', async () => {
  const { url } = await proxied((_, response) => response.writeHead(413).end())
  const sent = request(url, { method: 'POST' })
  sent.write(Buffer.alloc(2 ** 22))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(413)
  sent.end(Buffer.alloc(2 ** 22))
  await Promise.all([once(sent, 'finish'), buffer(response)])
})

test('leaves out what is not text, and says so', async () => {
  const { url, recorder } = await proxied((incoming, response) => {
    if (incoming.url === '/base/zip') response.setHeader('content-encoding', 'gzip')
    response.end(Buffer.from([0xff, 0xfe]))
  })
  for (const path of ['/image', '/zip']) {
    const [response] = (await once(request(url + path).end(), 'response')) as [IncomingMessage]
    await buffer(response)
  }

  const { recording, omitted } = sessionOf(recorder, 'http://target')
  expect(recording.exchanges).toEqual([])
  expect(omitted).toEqual([
    'GET /base/image: a body is not a text in UTF-8',
    'GET /base/zip: the response is compressed (gzip)',
  ])
})
