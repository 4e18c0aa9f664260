import { Client } from '@langchain/langgraph-sdk'
import type { DialectName } from '../../../mock-server/deployment/dialect.ts'
import { createMockServer, type MockServer } from '../../../mock-server/index.ts'
import type { OpenApiValidator } from '../../fixtures/openapi-validator.ts'

/** A mock server and a client of the public SDK in one process. */
export interface SdkContext {
  readonly client: Client
  readonly mock: MockServer
  /** A fetch function of the server, for calls that accept one. */
  readonly fetch: typeof fetch
  /** Requests of the client, as method and path. */
  readonly requests: string[]
  /** Differences between responses and the OpenAPI description. */
  readonly problems: string[]
}

/** A call that the client can make. */
export interface SdkCall {
  /** For example `threads.getState`. */
  readonly method: string
  /** The request of the call, with placeholders for ids. */
  readonly request: string
  /** The variant of the method. */
  readonly how?: string
  /** Whether the server supports the call. If not, `try` asserts the error. */
  readonly works: boolean
  readonly try: (context: SdkContext) => Promise<void>
}

export const NOWHERE = '00000000-0000-4000-8000-000000000000'

/** Creates a server and a client, and compares every response with the OpenAPI description. */
export function openContext(dialect: DialectName, expected: OpenApiValidator): SdkContext {
  const mock = createMockServer({ dialect })
  const problems: string[] = []
  const requests: string[] = []
  const inProcess: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const { method } = request
    const { pathname } = new URL(request.url)
    requests.push(`${method} ${pathname}`)
    const response = await mock.fetch(request)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    const problem = await expected.problem(method, pathname, isStream ? response : response.clone())
    if (problem !== undefined) problems.push(problem)
    return response
  }
  const client = new Client({ apiUrl: 'http://mock.test', callerOptions: { fetch: inProcess, maxRetries: 0 } })
  return { client, mock, fetch: inProcess, requests, problems }
}

/** An input of one human message. */
export function human(content: string): { messages: { role: string; content: string }[] } {
  return { messages: [{ role: 'user', content }] }
}

/** The contents of the messages among the values of a state. */
export function contents(values: unknown): unknown[] {
  return (values as { messages: { content: unknown }[] }).messages.map(({ content }) => content)
}

/** The payload of a run that never ends by itself. */
export const endless: { input: Record<string, unknown>; config: { configurable: Record<string, unknown> } } = {
  input: human('wait'),
  config: { configurable: { delay_ms: 3_600_000 } },
}

/** Completes a run of the graph echo on a new thread. */
export async function echoed({ client }: SdkContext, content = 'hi'): Promise<{ thread_id: string; run_id: string }> {
  const { thread_id } = await client.threads.create()
  const { run_id } = await client.runs.create(thread_id, 'echo', { input: human(content) })
  await client.runs.join(thread_id, run_id)
  return { thread_id, run_id }
}
