import { randomUUIDv7 } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'

// Usage: node bare.ts PORT
// The minimum that a server on node:http does for the same requests: it reads and parses the body, creates a record with
// an id and times, stores it and returns it. It validates nothing and routes by string comparison. A run ends as soon as
// it is created, and a join returns its input.

interface StoredRecord {
  readonly values?: unknown
}

const records = new Map<string, StoredRecord>()

createServer((request, response) => {
  const { method, url = '' } = request
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (method === 'GET') send(response, read(url))
    else if (url === '/threads') send(response, createThread(JSON.parse(Buffer.concat(chunks).toString())))
    else {
      const run = createRun(url, JSON.parse(Buffer.concat(chunks).toString()))
      if (url.endsWith('/stream')) stream(response, run)
      else send(response, run)
    }
  })
}).listen(Number(process.argv[2]), '127.0.0.1')

function read(url: string): unknown {
  const [, , thread_id = '', part, run_id = ''] = url.split('/')
  if (part === 'runs') return records.get(run_id)?.values
  return records.get(thread_id) ?? { ok: true }
}

function createThread(body: { metadata?: object }): object {
  const thread_id = randomUUIDv7()
  const now = new Date().toISOString()
  const metadata = body.metadata ?? {}
  const thread = { thread_id, created_at: now, updated_at: now, metadata, status: 'idle', config: {}, values: null }
  records.set(thread_id, thread)
  return thread
}

function createRun(url: string, { assistant_id, input }: { assistant_id: string; input: object }): { run_id: string } {
  const run_id = randomUUIDv7()
  const now = new Date().toISOString()
  const thread_id = url.split('/')[2]
  const kwargs = { input, config: { configurable: { run_id, thread_id, assistant_id } }, stream_mode: ['values'] }
  const run = { run_id, thread_id, assistant_id, created_at: now, updated_at: now, status: 'pending', kwargs }
  records.set(run_id, { ...run, values: input })
  return run
}

function send(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
}

function stream(response: ServerResponse, { run_id }: { run_id: string }): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`event: metadata\ndata: ${JSON.stringify({ run_id })}\n\n`)
}
