import { expect, onTestFinished, test } from 'vitest'
import { createMockServer, type MockServer } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { seededRandom } from '../../mock-server/runtime/random.ts'
import { destinationIn, exportClient } from '../fixtures/export-client.ts'
import { SESSION } from '../fixtures/export-context.ts'
import { type FaultyBucket, FULL, faultyBucket } from '../fixtures/faulty-bucket.ts'
import { clientOf, eventsOf, say } from '../fixtures/mock-client.ts'

function server(seed: string): MockServer {
  const mock = createMockServer({ clock: manualClock(Date.UTC(2026, 0, 10)), random: seededRandom(seed) })
  onTestFinished(() => mock.close())
  return mock
}

/** Runs a fixed sequence of requests on both APIs and returns all responses as JSON. */
async function transcriptOf(mock: MockServer, bucket: FaultyBucket): Promise<string> {
  const { get, post, send, thread } = clientOf(mock)
  const { thread_id } = await thread({ metadata: { topic: 'spring' } })
  const body = { assistant_id: 'tools', stream_mode: ['values', 'updates', 'messages-tuple', 'debug'], ...say('sum') }
  const events = await eventsOf(await send('POST', `/threads/${thread_id}/runs/stream`, body))
  const assistant = await post('/assistants', { graph_id: 'echo', name: 'mine' })
  const deployment = [
    events,
    assistant,
    await get(`/threads/${thread_id}/state`),
    await get(`/threads/${thread_id}/runs`),
  ]

  const { ok } = exportClient(mock)
  const destination = await ok('POST', '/destinations', destinationIn(bucket, FULL))
  const window = { session_id: SESSION, start_time: '2026-02-01T00:00:00Z', interval_hours: 24 }
  const created = await ok('POST', '', { bulk_export_destination_id: destination.id, ...window })
  return JSON.stringify([deployment, destination, created, await ok('GET', `/${created.id}/runs`)])
}

test('servers with the same seed send identical responses', async () => {
  const bucket = await faultyBucket()
  const transcript = await transcriptOf(server('a'), bucket)
  expect(await transcriptOf(server('a'), bucket)).toBe(transcript)
  expect(await transcriptOf(server('b'), bucket)).not.toBe(transcript)
})

test('reset with a seed repeats the responses', async () => {
  const bucket = await faultyBucket()
  const mock = server('before')
  const transcripts: string[] = []
  for (const seed of ['a', 'b', 'a']) {
    mock.reset(seed)
    transcripts.push(await transcriptOf(mock, bucket))
  }
  expect(transcripts[2]).toBe(transcripts[0])
  expect(transcripts[1]).not.toBe(transcripts[0])
})
