import type { Dispatcher, Pool } from 'undici'
import type { Workload } from './load.ts'

const headers = { 'content-type': 'application/json' }
const threadBody = JSON.stringify({ metadata: { purpose: 'bench', round: 1 } })
const runBody = JSON.stringify({
  assistant_id: 'echo',
  input: { messages: [{ role: 'user', content: 'hello' }] },
})
const streamBody = JSON.stringify({ ...JSON.parse(runBody), stream_mode: 'updates' })

/** Creates a thread and returns its id. */
export async function createThread(client: Pool): Promise<string> {
  const { thread_id } = await json(client, { method: 'POST', path: '/threads', body: threadBody })
  return String(thread_id)
}

/** Creates a thread without reading the response, so that the client uses less CPU time next to the server. */
export async function createThreadUnread(client: Pool): Promise<void> {
  const { statusCode, body } = await client.request({ method: 'POST', path: '/threads', headers, body: threadBody })
  await body.dump()
  if (statusCode !== 200) throw new Error(`POST /threads: expected status 200, received ${statusCode}`)
}

/** A workload that reads the state of a thread. */
export function readState(thread_id: string): Workload {
  return (client) => json(client, { method: 'GET', path: `/threads/${thread_id}/state` })
}

/** Creates a thread and a background run of the graph `echo` on it, and joins the run. */
export async function runAndJoin(client: Pool): Promise<void> {
  const runs = `/threads/${await createThread(client)}/runs`
  const { run_id } = await json(client, { method: 'POST', path: runs, body: runBody })
  await json(client, { method: 'GET', path: `${runs}/${run_id}/join` })
}

/** Streams a run of `echo` on an existing thread. Returns the milliseconds until its first event is complete. */
export async function firstEvent(client: Pool, thread_id: string): Promise<number> {
  const started = performance.now()
  const path = `/threads/${thread_id}/runs/stream`
  const { statusCode, body } = await client.request({ method: 'POST', path, headers, body: streamBody })
  if (statusCode !== 200)
    throw new Error(`POST ${path}: expected status 200, received ${statusCode}: ${await body.text()}`)
  let text = ''
  let first: number | undefined
  for await (const bytes of body.setEncoding('utf8')) {
    text += bytes
    if (first === undefined && /^event:[\s\S]*?\r?\n\r?\n/m.test(text)) first = performance.now() - started
  }
  if (first === undefined) throw new Error(`POST ${path}: expected an event, received ${JSON.stringify(text)}`)
  return first
}

async function json(client: Pool, request: Dispatcher.RequestOptions): Promise<Record<string, unknown>> {
  const { statusCode, body } = await client.request({ ...request, headers })
  const text = await body.text()
  if (statusCode !== 200)
    throw new Error(`${request.method} ${request.path}: expected status 200, received ${statusCode}: ${text}`)
  return JSON.parse(text)
}
