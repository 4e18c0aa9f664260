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

/** Responds with the received body, up to 1,000 bytes. */
async function echo(request: Request): Promise<Response> {
  try {
    return Response.json(await readJsonBody(request, { maxBytes: 1_000, maxDepth: 10 }))
  } catch (error) {
    if (error instanceof ApiError) return dialects.spec.errorResponse(error)
    throw error
  }
}

/** An event stream that sends `hello` and never ends. */
function endless(): Response {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('hello')) })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** Writes bytes to a connection and returns everything that the server sends. */
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

test('listens on the loopback interface', async () => {
  const server = await serve(echo)
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const response = await fetch(server.url, { method: 'POST', body: '{"a":1}' })
  expect(await response.json()).toEqual({ a: 1 })
})

test('does not replace the global Request and Response', async () => {
  const before = [globalThis.Request, globalThis.Response]
  await serve(echo)
  expect([globalThis.Request, globalThis.Response]).toEqual(before)
})

test('passes the headers of a request to the authentication handler', async () => {
  const engine = createAuthEngine({ authenticate: (request) => request.headers.get('authorization') ?? 'nobody' })
  const server = await serve(async (request) => Response.json(await engine.authenticate(request)))
  const response = await fetch(server.url, { method: 'POST', body: '{}', headers: { Authorization: 'alice' } })
  expect(await response.json()).toMatchObject({ identity: 'alice' })
})

test('aborts the signal of a request when the client disconnects', async () => {
  const disconnected = Promise.withResolvers<void>()
  const server = await serve(async (request) => {
    request.signal.addEventListener('abort', () => disconnected.resolve())
    return endless()
  })
  const client = new AbortController()
  const response = await fetch(server.url, { signal: client.signal })
  await response.body?.getReader().read()
  client.abort()
  await disconnected.promise
})

test('close ends open streams', async () => {
  const server = await serve(async () => endless())
  const reader = (await fetch(server.url)).body?.getReader()
  await reader?.read()
  await server.close()
  await expect(reader?.read()).rejects.toThrow()
  await expect(fetch(server.url)).rejects.toThrow()
})

test('returns 400 for bytes that are not HTTP', async () => {
  const server = await serve(echo)
  expect(await raw(server, 'hello?\r\n\r\n')).toContain('400 Bad Request')
  expect(await raw(server, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toContain('400 Bad Request')
  expect(await raw(server, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n')).toContain('400 Bad Request')
  expect((await fetch(server.url, { method: 'POST', body: '{}' })).status).toBe(200)
})

test('returns 413 for a content-length above the limit', async () => {
  const server = await serve(echo)
  const response = await raw(
    server,
    'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5000000\r\n\r\n{',
  )
  expect(response).toContain('413 Payload Too Large')
})

test('returns 413 for a chunked body above the limit', async () => {
  const server = await serve(echo)
  const chunk = `${(2_000).toString(16)}\r\n${' '.repeat(2_000)}\r\n`
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
  expect(await raw(server, head + chunk)).toContain('413 Payload Too Large')
})

test('rejects a port that is in use', async () => {
  const { url } = await serve(echo)
  const port = Number(new URL(url).port)
  await expect(serve(echo, { port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`)
})

test('rejects a host that is not an address of this machine', async () => {
  await expect(serve(echo, { host: '192.0.2.1' })).rejects.toThrow('192.0.2.1 is not an address of this machine')
})
