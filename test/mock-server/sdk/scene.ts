import { Client } from '@langchain/langgraph-sdk'
import type { DialectName } from '../../../mock-server/deployment/dialect.ts'
import { createMockServer, type MockServer } from '../../../mock-server/index.ts'
import type { Expectations } from '../../fixtures/described.ts'

/** A fresh mock server and the public SDK's client of it, in one process. */
export interface Scene {
  readonly client: Client
  readonly mock: MockServer
  /** Reaches the server, for calls that take one of their own. */
  readonly fetch: typeof fetch
  /** What the client has sent: method and path. */
  readonly sent: string[]
  /** Where an answer was not what the server's description of itself says. */
  readonly undescribed: string[]
}

/** A call that the client can make. */
export interface SdkCall {
  /** For example `threads.getState`. */
  readonly method: string
  /** What the client sends, with placeholders for ids; nothing where it sends nothing by itself. */
  readonly request: string
  /** How the call differs from others of the method. */
  readonly how?: string
  /** Whether the server offers it; where it does not, `try` shows the refusal. */
  readonly works: boolean
  readonly try: (scene: Scene) => Promise<void>
}

export const NOWHERE = '00000000-0000-4000-8000-000000000000'

/** Opens a scene; every answer is held against what the server says of itself. */
export function openScene(dialect: DialectName, expected: Expectations): Scene {
  const mock = createMockServer({ dialect })
  const undescribed: string[] = []
  const sent: string[] = []
  const inProcess: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const { method } = request
    const { pathname } = new URL(request.url)
    sent.push(`${method} ${pathname}`)
    const answer = await mock.fetch(request)
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
    const problem = await expected.problem(method, pathname, isStream ? answer : answer.clone())
    if (problem !== undefined) undescribed.push(problem)
    return answer
  }
  const client = new Client({ apiUrl: 'http://mock.test', callerOptions: { fetch: inProcess, maxRetries: 0 } })
  return { client, mock, fetch: inProcess, sent, undescribed }
}

/** An input of one human message. */
export function human(content: string): { messages: { role: string; content: string }[] } {
  return { messages: [{ role: 'user', content }] }
}

/** The contents of the messages among the values of a state. */
export function contents(values: unknown): unknown[] {
  return (values as { messages: { content: unknown }[] }).messages.map(({ content }) => content)
}

/** A run that executes until it is stopped. */
export const endless: { input: Record<string, unknown>; config: { configurable: Record<string, unknown> } } = {
  input: human('wait'),
  config: { configurable: { delay_ms: 3_600_000 } },
}

/** A thread on which a run of the graph echo has ended. */
export async function echoed({ client }: Scene, content = 'hi'): Promise<{ thread_id: string; run_id: string }> {
  const { thread_id } = await client.threads.create()
  const { run_id } = await client.runs.create(thread_id, 'echo', { input: human(content) })
  await client.runs.join(thread_id, run_id)
  return { thread_id, run_id }
}
