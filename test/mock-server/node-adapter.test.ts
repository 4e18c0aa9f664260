import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Listening, type ListenOptions, listen, type RequestHandler } from '../../mock-server/adapters/node.ts'
import { createAuthEngine } from '../../mock-server/deployment/auth/engine.ts'
import { dialects } from '../../mock-server/deployment/dialects/index.ts'
import { ApiError } from '../../mock-server/http/errors.ts'
import { readJsonBody } from '../../mock-server/http/request.ts'

const open: Listening[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function serve(handle: RequestHandler['handle'], options: Partial<ListenOptions> = {}): Promise<Listening> {
  const server = await listen({ handle }, { port: 0, ...options })
  open.push(server)
  return server
}

/** Answers with the body that it received, as long as that has at most 1 000 bytes. */
async function echo(request: Request): Promise<Response> {
  try {
    return Response.json(await readJsonBody(request, { maxBytes: 1_000, maxDepth: 10 }))
  } catch (error) {
    if (error instanceof ApiError) return dialects.document.errorResponse(error)
    throw error
  }
}

/** An event stream that says hello and never ends by itself. */
function endless(): Response {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('hello')) })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** Everything that the server sends on a connection on which these bytes were written. */
function raw(server: Listening, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.setEncoding('utf8').on('data', (text) => {
      received += text
    })
    socket.on('error', reject).on('close', () => resolve(received))
  })
}

test('serves a mock on the loopback interface', async () => {
  const server = await serve(echo)
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const response = await fetch(server.url, { method: 'POST', body: '{"a":1}' })
  expect(await response.json()).toEqual({ a: 1 })
})

test('leaves Request and Response of the process alone', async () => {
  const before = [globalThis.Request, globalThis.Response]
  await serve(echo)
  expect([globalThis.Request, globalThis.Response]).toEqual(before)
})

test('shows an authentication handler the headers of a real request', async () => {
  const engine = createAuthEngine({ authenticate: (request) => request.headers.get('authorization') ?? 'nobody' })
  const server = await serve(async (request) => Response.json(await engine.authenticate(request)))
  const response = await fetch(server.url, { method: 'POST', body: '{}', headers: { Authorization: 'alice' } })
  expect(await response.json()).toMatchObject({ identity: 'alice' })
})

test('tells the mock when a client goes away', async () => {
  const gone = Promise.withResolvers<void>()
  const server = await serve(async (request) => {
    request.signal.addEventListener('abort', () => gone.resolve())
    return endless()
  })
  const client = new AbortController()
  const response = await fetch(server.url, { signal: client.signal })
  await response.body?.getReader().read()
  client.abort()
  await gone.promise
})

test('ends open streams when it closes', async () => {
  const server = await serve(async () => endless())
  const reader = (await fetch(server.url)).body?.getReader()
  await reader?.read()
  await server.close()
  await expect(reader?.read()).rejects.toThrow()
  await expect(fetch(server.url)).rejects.toThrow()
})

test('survives what is no HTTP', async () => {
  const server = await serve(echo)
  expect(await raw(server, 'hello?\r\n\r\n')).toContain('400 Bad Request')
  expect(await raw(server, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toContain('400 Bad Request')
  expect(await raw(server, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n')).toContain('400 Bad Request')
  expect((await fetch(server.url, { method: 'POST', body: '{}' })).status).toBe(200)
})

test('refuses a body that is declared too large before it is sent', async () => {
  const server = await serve(echo)
  const answer = await raw(
    server,
    'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5000000\r\n\r\n{',
  )
  expect(answer).toContain('413 Payload Too Large')
})

test('refuses a body of unknown length at the limit', async () => {
  const server = await serve(echo)
  const chunk = `${(2_000).toString(16)}\r\n${' '.repeat(2_000)}\r\n`
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
  expect(await raw(server, head + chunk)).toContain('413 Payload Too Large')
})

test('says in a sentence that a port is in use', async () => {
  const { url } = await serve(echo)
  const port = Number(new URL(url).port)
  await expect(serve(echo, { port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`)
})

test('says in a sentence that a host is not of this machine', async () => {
  await expect(serve(echo, { host: '192.0.2.1' })).rejects.toThrow('192.0.2.1 is no address of this machine')
})
