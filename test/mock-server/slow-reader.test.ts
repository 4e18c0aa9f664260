import { expect, test } from 'vitest'
import { createMockServer, defineGraph, type MockServer } from '../../mock-server/index.ts'
import { clientOf, eventReader, type StreamEvent } from '../fixtures/mock-client.ts'

/** A server with maxEventsBehind of 10, and a graph that waits for `resume`. */
function limitedServer(): { mock: MockServer; resume: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const many = defineGraph({
    nodes: {
      work: async (_state, { emit }) => {
        await promise
        for (let count = 0; count < 50; count++) emit({ burst: count })
        for (let count = 0; count < 50; count++) {
          emit({ count })
          // Lets readers run between two events.
          await new Promise((turn) => setImmediate(turn))
        }
      },
    },
  })
  return { mock: createMockServer({ graphs: { many }, limits: { maxEventsBehind: 10 } }), resume: resolve }
}

const body = { assistant_id: 'many', input: {}, stream_mode: 'custom' }

test('ends the stream of a reader behind the limit with an error event and continues the run', async () => {
  const { mock, resume } = limitedServer()
  const { thread, send, ended, get } = clientOf(mock)
  const { thread_id } = await thread()
  const slow = await send('POST', `/threads/${thread_id}/runs/stream`, { ...body, on_disconnect: 'cancel' })
  const [run] = await get<Parameters<typeof ended>[0][]>(`/threads/${thread_id}/runs`)
  if (run === undefined) throw new Error('The run is not listed')
  resume()
  expect(await ended(run)).toMatchObject({ status: 'success' })

  const events: StreamEvent[] = []
  for await (const event of eventReader(slow)) events.push(event)
  expect(events.at(-1)).toMatchObject({
    event: 'error',
    data: { error: 'SlowReader', message: expect.stringContaining('more than 10 events behind') },
  })
  // At most the metadata, one buffered event and the error event.
  expect(events.length).toBeLessThanOrEqual(3)

  const rejoined = eventReader(await send('GET', `/threads/${thread_id}/runs/${run.run_id}/stream`))
  let count = 0
  for await (const _ of rejoined) count++
  expect(count).toBe(101)
})

test('never ends the stream of an active reader, even in a burst of events', async () => {
  const { mock, resume } = limitedServer()
  const { thread, send } = clientOf(mock)
  const { thread_id } = await thread()
  const reader = eventReader(await send('POST', `/threads/${thread_id}/runs/stream`, body))
  const events = [(await reader.next()).value]
  const second = reader.next()
  // After one turn of the event loop, the stream waits for the next event.
  await new Promise((turn) => setImmediate(turn))
  resume()
  events.push((await second).value)
  for await (const event of reader) events.push(event)
  expect(events.map((event) => event?.event)).toEqual(['metadata', ...Array.from({ length: 100 }, () => 'custom')])
})
