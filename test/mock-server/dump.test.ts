import { expect, test } from 'vitest'
import { defineGraph, type MockServer, type MockServerOptions } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { seededRandom } from '../../mock-server/runtime/random.ts'
import { interrupt } from '../../mock-server/scripting/steps.ts'
import { controlClient, openMock } from '../fixtures/control-client.ts'
import { destinationIn, exportClient } from '../fixtures/export-client.ts'
import { SESSION, TENANT } from '../fixtures/export-context.ts'
import { FULL, faultyBucket } from '../fixtures/faulty-bucket.ts'
import { clientOf, eventsOf, say } from '../fixtures/mock-client.ts'
import { traceRecord } from '../fixtures/trace-record.ts'

const START = Date.UTC(2026, 0, 10)
const ask = defineGraph({
  nodes: { ask: (_state, { interrupt }) => ({ messages: [{ role: 'ai', content: `so ${interrupt('sure?')}` }] }) },
})

const server = (options: MockServerOptions = {}): MockServer => openMock({ clock: manualClock(START), ...options })

/** Everything that the API returns about a thread: runs, state, history and the stream of each run. */
async function visible(mock: MockServer, threadId: string): Promise<unknown[]> {
  const { get, post, send } = clientOf(mock)
  const path = `/threads/${threadId}`
  const runs = await get<{ run_id: string }[]>(`${path}/runs`)
  const streams = runs.map(async ({ run_id }) => {
    const query = '?stream_mode=values&stream_mode=updates&stream_mode=debug&stream_mode=messages-tuple'
    return eventsOf(await send('GET', `${path}/runs/${run_id}/stream${query}`))
  })
  return [runs, await get(`${path}/state`), await post(`${path}/history`, {}), await Promise.all(streams)]
}

test('another server continues from a dump', async () => {
  const before = server()
  const { thread, stream, post } = clientOf(before)
  const existing = await thread({ metadata: { topic: 'spring' } })
  await post('/assistants', { graph_id: 'echo', name: 'mine' })
  for (const text of ['one', 'two', 'three']) await stream(existing, { assistant_id: 'echo', ...say(text) })

  const after = server()
  await after.load(before.dump())
  expect(await visible(after, existing.thread_id)).toEqual(await visible(before, existing.thread_id))
  expect(await clientOf(after).post('/assistants/search', {})).toEqual(await post('/assistants/search', {}))
  expect(JSON.parse(after.dump())).toEqual({ ...JSON.parse(before.dump()), drawn: expect.any(Number) })

  await clientOf(after).stream(existing, { assistant_id: 'echo', ...say('four') })
  expect((await clientOf(after).contents(existing)).slice(8)).toEqual([
    'second: three',
    'four',
    'first: four',
    'second: four',
  ])
  expect(await clientOf(before).contents(existing)).toHaveLength(9)
})

test('an interrupted run can be resumed after a load', async () => {
  const before = server({ graphs: { ask } })
  const existing = await clientOf(before).thread()
  await clientOf(before).stream(existing, { assistant_id: 'ask', ...say('do it') })
  const after = server({ graphs: { ask } })
  await after.load(before.dump())
  await clientOf(after).stream(existing, { assistant_id: 'ask', command: { resume: 'yes' } })
  expect(await clientOf(after).contents(existing)).toEqual(['do it', 'so yes'])
})

test('a script continues with its next reply after a load', async () => {
  const before = server()
  before.script('bot', 'first', 'second')
  const existing = await clientOf(before).thread()
  await clientOf(before).stream(existing, { assistant_id: 'bot', ...say('a') })
  const after = server()
  after.script('bot', 'first', 'second')
  await after.load(before.dump())
  await clientOf(after).stream(existing, { assistant_id: 'bot', ...say('b') })
  expect(await clientOf(after).contents(existing)).toEqual(['a', 'first', 'b', 'second'])
})

test('a run fails when the rest of its scripted reply is not in the dump', async () => {
  const scripted = (): MockServer => {
    const mock = server()
    mock.script('bot', [interrupt('sure?'), 'Done.'])
    return mock
  }
  const before = scripted()
  const existing = await clientOf(before).thread()
  await clientOf(before).stream(existing, { assistant_id: 'bot', ...say('do it') })
  const after = scripted()
  await after.load(before.dump())

  const { post, get } = clientOf(after)
  const response = await post(`/threads/${existing.thread_id}/runs/wait`, {
    assistant_id: 'bot',
    command: { resume: 'yes' },
  })
  expect(response).toMatchObject({ __error__: { error: 'RemainderNotDumped' } })
  expect(await get(`/threads/${existing.thread_id}`)).toMatchObject({ status: 'error' })
})

test('does not repeat ids after a load with the same seed', async () => {
  const random = () => ({ random: seededRandom('same') })
  const before = server(random())
  await clientOf(before).thread()
  const dump = before.dump()
  const next = async (mock: MockServer): Promise<string> =>
    (await clientOf(mock).post<{ assistant_id: string }>('/assistants', { graph_id: 'echo' })).assistant_id
  const after = server(random())
  await after.load(dump)
  expect(await next(after)).not.toBe(await next(server(random())))
})

test('the size of a dump grows linearly with the states of a thread', async () => {
  const mock = server()
  const { thread, stream } = clientOf(mock)
  const existing = await thread()
  const sizes: number[] = []
  for (let run = 0; run < 60; run++) {
    await stream(existing, { assistant_id: 'echo', ...say('x'.repeat(2000)) })
    if (run === 29 || run === 59) sizes.push(mock.dump().length)
  }
  // Each message is stored once: twice as many runs double the size instead of quadrupling it.
  expect((sizes[1] ?? 0) / (sizes[0] ?? 1)).toBeLessThan(2.3)
})

test('a dump contains exports, destinations and traces, with encrypted credentials', async () => {
  const encryptionKey = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
  const before = server({ export: { encryptionKey } })
  const bucket = await faultyBucket()
  await before.seedRuns([traceRecord({ tenant_id: TENANT, session_id: SESSION })])
  const destination = await exportClient(before).ok('POST', '/destinations', destinationIn(bucket, FULL))
  const dump = before.dump()
  for (const secret of Object.values(FULL)) {
    expect(dump).not.toContain(`"${secret}"`)
    expect(dump).not.toContain(Buffer.from(secret).toString('base64').slice(0, -3))
  }
  expect(dump).not.toContain(encryptionKey)

  const after = server({ export: { encryptionKey } })
  await after.load(dump)
  expect(await exportClient(after).ok('GET', '/destinations')).toEqual([destination])
  const created = await exportClient(after).ok('POST', '', {
    bulk_export_destination_id: destination.id,
    session_id: SESSION,
    start_time: '2020-01-01T00:00:00Z',
    end_time: '2026-01-10T00:00:00Z',
  })
  await after.clock.advance(60_000)
  expect(await exportClient(after).ok('GET', `/${created.id}`)).toMatchObject({ status: 'Completed' })
  expect(await bucket.keys()).toHaveLength(1)

  const other = server()
  await expect(other.load(dump)).rejects.toThrow('set export.encryptionKey to the key of the server that wrote it')
  expect(await exportClient(other).ok('GET', '/destinations')).toEqual([])
})

test.each([
  ['invalid JSON', 'not valid JSON'],
  ['{}', 'received JSON of another kind'],
  ['null', 'received JSON of another kind'],
  ['{"format":"touchstone-state/7"}', 'received the format "touchstone-state/7"'],
  [
    '{"format":"touchstone-state/5","deployment":[["array",7]],"exports":null}',
    'refers to a value that it does not have',
  ],
  ['{"format":"touchstone-state/5","deployment":[["robot",0]],"exports":null}', 'unknown kind "robot"'],
])('load rejects %s and changes nothing', async (text, message) => {
  const mock = server()
  const { thread_id } = await clientOf(mock).thread()
  await expect(mock.load(text)).rejects.toThrow(message)
  expect((await clientOf(mock).send('GET', `/threads/${thread_id}/runs`)).status).toBe(200)
})

test('dump throws while a run is active', async () => {
  const mock = server()
  const { thread, run } = clientOf(mock)
  await run(await thread(), { assistant_id: 'slow', input: {} })
  expect(() => mock.dump()).toThrow('no run is in flight')
})

test('the control plane dumps and loads', async () => {
  const call = (mock: MockServer, method: string, body?: unknown) =>
    controlClient(mock).call(method, '/__touchstone/state', body)
  const [before, after] = [server(), server()]
  const existing = await clientOf(before).thread()
  const state = (await call(before, 'GET')).body
  expect((await call(after, 'PUT', state)).status).toBe(200)
  expect((await clientOf(after).send('GET', `/threads/${existing.thread_id}/runs`)).status).toBe(200)
  expect(await call(after, 'PUT', {})).toEqual({
    status: 422,
    body: { detail: expect.stringContaining('Expected the text that dump()') },
  })
})
