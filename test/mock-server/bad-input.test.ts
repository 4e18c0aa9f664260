import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { createMockServer } from '../../mock-server/index.ts'

const FIELDS = [
  'assistant_id input messages config configurable metadata stream_mode thread_id graph_id limit offset',
  'multitask_strategy after_seconds interrupt_before command context role type content id if_exists delay_ms',
  'tool_calls constructor toString hasOwnProperty then',
].flatMap((names) => names.split(' '))
const WORDS = 'echo chat tools fail values updates debug human ai enqueue interrupt *'.split(' ')

/** Random JSON built from field names and values of the API. */
const anyJson = fc.letrec((self) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>(...WORDS, null, true, 0, -1, 1.5, 1e300, ''),
    fc.string({ unit: 'binary' }),
    fc.array(self('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...FIELDS), self('value'), { maxKeys: 5 }),
  ),
})).value

/** A valid body with a few random fields. */
const nearlyValid = fc
  .tuple(
    fc.constantFrom('echo', 'chat', 'tools', 'fail'),
    fc.dictionary(fc.constantFrom(...FIELDS), anyJson, { maxKeys: 3 }),
  )
  .map(([graph, fields]) => ({ assistant_id: graph, graph_id: graph, ...fields }))

test.each<DialectName>(['spec', 'agent-server', 'js-dev'])(
  '%s: no body causes a 5xx, and a rejected body changes nothing',
  async (dialect) => {
    const mock = createMockServer({ dialect, startDelayMs: 0 })
    const call = (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> =>
      mock.fetch(
        new Request(`http://mock.test${path}`, {
          method,
          ...(body !== undefined && { body: JSON.stringify(body) }),
          ...(signal !== undefined && { signal }),
        }),
      )
    // Compares ids only: earlier runs may still change their threads.
    const ids = async (response: Promise<Response>): Promise<unknown[]> =>
      ((await (await response).json()) as Record<string, unknown>[]).map(
        (item) => item['thread_id'] ?? item['assistant_id'],
      )
    const resourceIds = async (): Promise<unknown[]> => [
      ...(await ids(call('GET', '/threads?limit=1000'))),
      ...(await ids(call('POST', '/assistants/search', { limit: 1000 }))),
    ]

    const { thread_id } = (await (await call('POST', '/threads', {})).json()) as { thread_id: string }
    const endpoints = ['/threads', '/assistants', '/assistants/search', `/threads/${thread_id}/runs`]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...endpoints), fc.oneof(nearlyValid, anyJson), async (path, body) => {
        const createsNoRun = path !== `/threads/${thread_id}/runs`
        const before = createsNoRun ? await resourceIds() : []
        const response = await call('POST', path, body)
        expect(response.status).toBeLessThan(500)
        if (createsNoRun && response.status >= 400) expect(await resourceIds()).toEqual(before)
      }),
      { numRuns: 200, seed: 1 },
    )
    await fc.assert(
      fc.asyncProperty(nearlyValid, async (body) => {
        const controller = new AbortController()
        const response = await call('POST', `/threads/${thread_id}/runs/stream`, body, controller.signal)
        expect(response.status).toBeLessThan(500)
        await response.body?.getReader().read()
        controller.abort()
      }),
      { numRuns: 100, seed: 1 },
    )
    await mock.close()
  },
)

test.each<DialectName>(['spec', 'agent-server', 'js-dev'])('%s: no path causes a 5xx', async (dialect) => {
  const mock = createMockServer({ dialect })
  const paths = fc.array(
    fc.oneof(fc.constantFrom('threads', 'runs', 'state', 'join', 'assistants', '..', '%ff', ''), fc.webSegment()),
    { maxLength: 5 },
  )
  const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS')
  await fc.assert(
    fc.asyncProperty(methods, paths, fc.webQueryParameters(), async (method, path, query) => {
      const response = await mock.fetch(new Request(`http://mock.test/${path.join('/')}?${query}`, { method }))
      expect(response.status).toBeLessThan(500)
    }),
    { numRuns: 200, seed: 1 },
  )
})
