import type { Client } from '@langchain/langgraph-sdk'

/** A client of the public SDK and its server. */
export interface SdkContext {
  readonly client: Client
  /** A fetch function of the server, for calls that accept one. */
  readonly fetch: typeof fetch
  /** Requests of the client, as method and path. */
  readonly requests: string[]
}

/** A call that the client can make. */
export interface SdkCall {
  /** For example `threads.getState`. */
  readonly method: string
  /** The request of the call, with placeholders for ids. */
  readonly request: string
  /** The variant of the method. */
  readonly how?: string
  /** Versions of the SDK that have the method, but not this variant. */
  readonly missingIn?: readonly string[]
  /** The message with which the mock server refuses the call, if it does. */
  readonly refused?: string
  readonly try: (context: SdkContext) => Promise<void>
}

export const NOWHERE = '00000000-0000-4000-8000-000000000000'

/** Creates a client whose requests are passed to a function. */
export function openContext(clientClass: typeof Client, send: (request: Request) => Promise<Response>): SdkContext {
  const requests: string[] = []
  const fetch: SdkContext['fetch'] = (input, init) => {
    const request = new Request(input, init)
    requests.push(`${request.method} ${new URL(request.url).pathname}`)
    return send(request)
  }
  const client = new clientClass({ apiUrl: 'http://mock.test', callerOptions: { fetch, maxRetries: 0 } })
  return { client, fetch, requests }
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
