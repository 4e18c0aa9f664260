import { expect, test } from 'vitest'
import { createMockServer, defineGraph, type MockServer } from '../../mock-server/index.ts'
import { clientOf, eventReader, type StreamEvent } from '../fixtures/mock-client.ts'

/** A server with a limit of ten events, and a graph that waits until it is let go on. */
function tenAtMost(): { mock: MockServer; goOn: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const many = defineGraph({
    nodes: {
      work: async (_state, { emit }) => {
        await promise
        for (let count = 0; count < 50; count++) emit({ burst: count })
        for (let count = 0; count < 50; count++) {
          emit({ count })
          // Readers get their turn between two events.
          await new Promise((turn) => setImmediate(turn))
        }
      },
    },
  })
  return { mock: createMockServer({ graphs: { many }, limits: { maxEventsBehind: 10 } }), goOn: resolve }
}

const body = { assistant_id: 'many', input: {}, stream_mode: 'custom' }

test('a reader who takes nothing while more happens than the limit is cut with an error event; the run goes on', async () => {
  const { mock, goOn } = tenAtMost()
  const { thread, send, ended, get } = clientOf(mock)
  const { thread_id } = await thread()
  const slow = await send('POST', `/threads/${thread_id}/runs/stream`, { ...body, on_disconnect: 'cancel' })
  const [run] = await get<Parameters<typeof ended>[0][]>(`/threads/${thread_id}/runs`)
  if (run === undefined) throw new Error('The run is not listed')
  goOn()
  expect(await ended(run)).toMatchObject({ status: 'success' })

  const events: StreamEvent[] = []
  for await (const event of eventReader(slow)) events.push(event)
  expect(events.at(-1)).toMatchObject({
    event: 'error',
    data: { error: 'SlowReader', message: expect.stringContaining('more than 10 events behind') },
  })
  // What one reader costs: the event that waited for it, and the one that says goodbye.
  expect(events.length).toBeLessThanOrEqual(3)

  const again = eventReader(await send('GET', `/threads/${thread_id}/runs/${run.run_id}/stream`))
  let count = 0
  for await (const _ of again) count++
  expect(count).toBe(101)
})

test('who reads is never cut, however many events come at once', async () => {
  const { mock, goOn } = tenAtMost()
  const { thread, send } = clientOf(mock)
  const { thread_id } = await thread()
  const reader = eventReader(await send('POST', `/threads/${thread_id}/runs/stream`, body))
  const events = [(await reader.next()).value]
  const second = reader.next()
  // The stream has asked for the next event when the server has had a turn.
  await new Promise((turn) => setImmediate(turn))
  goOn()
  events.push((await second).value)
  for await (const event of reader) events.push(event)
  expect(events.map((event) => event?.event)).toEqual(['metadata', ...Array.from({ length: 100 }, () => 'custom')])
})
