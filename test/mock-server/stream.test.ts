import { expect, test } from 'vitest'
import { listen } from '../../mock-server/adapters/node.ts'
import { createMockServer, defineGraph } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { clientOf, eventReader, eventsOf, type RunBody, say } from '../fixtures/mock-client.ts'
import { sdkThread } from '../fixtures/sdk-thread.ts'

test('a stream starts with metadata, followed by an update per finished node', async () => {
  const { thread, stream, get } = clientOf(createMockServer())
  const created = await thread()
  const events = await stream(created, { assistant_id: 'tools', stream_mode: ['updates'], ...say('tea') })
  const [run] = await get<RunBody[]>(`/threads/${created.thread_id}/runs`)
  expect(events).toMatchObject([
    { event: 'metadata', data: { run_id: run?.run_id } },
    { event: 'updates', data: { plan: { messages: [{ type: 'ai', content: '' }] } } },
    { event: 'updates', data: { lookup: { messages: [{ type: 'tool', content: 'found: tea' }] } } },
    { event: 'updates', data: { answer: { messages: [{ type: 'ai', content: 'answer: tea' }] } } },
  ])
  expect(run?.status).toBe('success')
})

test('sends an update when each node finishes, even without a change', async () => {
  const clock = manualClock(0)
  const mock = createMockServer({ clock })
  const { thread, send, contents } = clientOf(mock)
  const created = await thread()
  const body = { assistant_id: 'slow', stream_mode: ['updates'], ...say('A') }
  const response = await send('POST', `/threads/${created.thread_id}/runs/stream`, body)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const reader = eventReader(response)
  expect((await reader.next()).value?.event).toBe('metadata')
  expect((await reader.next()).value?.data).toMatchObject({ before: { messages: [{ content: 'before: A' }] } })
  expect(await contents(created)).toEqual(['A', 'before: A'])
  await clock.advance(1000)
  expect((await reader.next()).value?.data).toEqual({ sleep: { messages: [] } })
  expect((await reader.next()).value?.data).toMatchObject({ after: { messages: [{ content: 'after: A' }] } })
  expect((await reader.next()).done).toBe(true)
})

test('the default mode is values: the input, then the values after each change', async () => {
  const { thread, stream } = clientOf(createMockServer())
  const config = { configurable: { delay_ms: 0 } }
  const events = await stream(await thread(), { assistant_id: 'slow', config, ...say('A') })
  expect(events.map(({ event }) => event)).toEqual(['metadata', 'values', 'values', 'values'])
  expect(events.slice(1).map(({ data }) => (data as { messages: unknown[] }).messages.length)).toEqual([1, 2, 3])
})

test('keeps the order of events of several modes', async () => {
  const { thread, stream } = clientOf(createMockServer())
  const body = { assistant_id: 'echo', stream_mode: ['values', 'updates'], ...say('A') }
  const events = await stream(await thread(), body)
  expect(events.map(({ event }) => event)).toEqual(['metadata', 'values', 'updates', 'values', 'updates', 'values'])
})

test('mode messages sends complete messages and accumulated partial ones', async () => {
  const { thread, stream } = clientOf(createMockServer())
  const events = await stream(await thread(), { assistant_id: 'chat', stream_mode: ['messages'], ...say('a b') })
  expect(events.slice(1)).toMatchObject([
    { event: 'messages/complete', data: [{ type: 'human', content: 'a b' }] },
    { event: 'messages/metadata' },
    { event: 'messages/partial', data: [{ type: 'ai', content: 'chat:' }] },
    { event: 'messages/partial', data: [{ content: 'chat: a' }] },
    { event: 'messages/partial', data: [{ content: 'chat: a b' }] },
    { event: 'messages/complete', data: [{ type: 'ai', content: 'chat: a b' }] },
  ])
  const [id] = Object.keys(events[2]?.data as object)
  expect(events[3]?.data).toMatchObject([{ id }])
})

test('mode messages-tuple sends each token once, and messages without tokens whole', async () => {
  const { thread, stream } = clientOf(createMockServer())
  const created = await thread()
  const body = { stream_mode: 'messages-tuple', ...say('a b') }
  const tokens = await stream(created, { assistant_id: 'chat', ...body })
  expect(tokens.slice(1)).toMatchObject(
    ['chat:', ' a', ' b'].map((content) => ({
      event: 'messages',
      data: [
        { type: 'AIMessageChunk', content },
        { langgraph_node: 'chat', thread_id: created.thread_id },
      ],
    })),
  )
  const whole = await stream(created, { assistant_id: 'echo', ...body })
  expect(whole.slice(1)).toMatchObject([
    { event: 'messages', data: [{ type: 'ai', content: 'first: a b' }, { langgraph_node: 'first' }] },
    { event: 'messages', data: [{ type: 'ai', content: 'second: a b' }, { langgraph_node: 'second' }] },
  ])
})

test('mode custom sends the values that a node emits', async () => {
  const graphs = {
    emitter: defineGraph({
      nodes: {
        emit: (_state, { emit }) => {
          emit({ progress: 1 })
          emit('done')
          return undefined
        },
      },
    }),
  }
  const { thread, stream } = clientOf(createMockServer({ graphs }))
  const events = await stream(await thread(), { assistant_id: 'emitter', stream_mode: ['custom'] })
  expect(events.slice(1)).toMatchObject([
    { event: 'custom', data: { progress: 1 } },
    { event: 'custom', data: 'done' },
  ])
})

test('modes tasks, checkpoints and debug send each step', async () => {
  const { thread, stream } = clientOf(createMockServer())
  const created = await thread()
  const only = async (mode: string): Promise<unknown[]> => {
    const events = await stream(created, { assistant_id: 'echo', stream_mode: [mode], ...say('A') })
    expect(new Set(events.slice(1).map(({ event }) => event))).toEqual(new Set([mode]))
    return events.slice(1).map(({ data }) => data)
  }
  expect(await only('tasks')).toMatchObject([
    { name: 'first', input: { messages: [{ content: 'A' }] } },
    { name: 'first', result: { messages: [{ content: 'first: A' }] }, error: null },
    { name: 'second' },
    { name: 'second', result: { messages: [{ content: 'second: A' }] } },
  ])
  expect(await only('checkpoints')).toMatchObject([
    { metadata: { source: 'input', step: 3 }, next: ['__start__'] },
    { metadata: { source: 'loop', step: 4 }, next: ['first'] },
    { metadata: { step: 5 }, next: ['second'] },
    { metadata: { step: 6 }, next: [] },
  ])
  expect(await only('debug')).toMatchObject([
    { type: 'checkpoint', step: 7 },
    { type: 'checkpoint', step: 8 },
    { type: 'task', step: 9, payload: { name: 'first' } },
    { type: 'task_result', step: 9 },
    { type: 'checkpoint', step: 9 },
    { type: 'task', step: 10, payload: { name: 'second' } },
    { type: 'task_result', step: 10 },
    { type: 'checkpoint', step: 10 },
  ])
})

test('a node that throws ends the stream with an error event', async () => {
  const { thread, stream } = clientOf(createMockServer())
  const body = { assistant_id: 'fail', stream_mode: ['updates', 'tasks'], ...say('A') }
  expect((await stream(await thread(), body)).slice(-2)).toMatchObject([
    { event: 'tasks', data: { name: 'boom', error: 'Error: this graph always fails' } },
    { event: 'error', data: { error: 'Error', message: 'this graph always fails' } },
  ])
})

test('every reader that joins a stream receives all events', async () => {
  const clock = manualClock(0)
  const { thread, run, send } = clientOf(createMockServer({ clock }))
  const created = await thread()
  const started = await run(created, { assistant_id: 'slow', stream_mode: ['updates'], ...say('A') })
  await clock.advance(500)
  const path = `/threads/${created.thread_id}/runs/${started.run_id}/stream`
  const slowReader = await send('GET', path)
  const fastReader = eventsOf(await send('GET', path))
  await clock.advance(1000)
  const events = await fastReader
  expect(events.map(({ event }) => event)).toEqual(['metadata', 'updates', 'updates', 'updates'])
  expect(await eventsOf(slowReader)).toEqual(events)
  expect(await eventsOf(await send('GET', path))).toEqual(events)
  const values = await eventsOf(await send('GET', `${path}?stream_mode=values&stream_mode=tasks`))
  expect(new Set(values.map(({ event }) => event))).toEqual(new Set(['metadata', 'values', 'tasks']))
})

test('Last-Event-ID resumes a stream after that event', async () => {
  const { thread, stream, send, get } = clientOf(createMockServer())
  const created = await thread()
  const events = await stream(created, { assistant_id: 'echo', stream_mode: ['updates', 'values'], ...say('A') })
  const [run] = await get<RunBody[]>(`/threads/${created.thread_id}/runs`)
  const resume = async (lastEventId: string): Promise<unknown> =>
    eventsOf(
      await send('GET', `/threads/${created.thread_id}/runs/${run?.run_id}/stream`, undefined, {
        'last-event-id': lastEventId,
      }),
    )
  for (const [index, { id }] of events.entries()) expect(await resume(String(id))).toEqual(events.slice(index + 1))
  expect(await resume('-1')).toEqual(events)
  expect(await resume('99')).toEqual([])
})

test('agent-server replays only resumable streams', async () => {
  const clock = manualClock(0)
  const { thread, run, send } = clientOf(createMockServer({ clock, dialect: 'agent-server' }))
  const join = async (started: RunBody, headers = {}): Promise<Response> =>
    send('GET', `/threads/${started.thread_id}/runs/${started.run_id}/stream`, undefined, headers)
  const started: RunBody[] = []
  for (const stream_resumable of [false, true]) {
    const body = { assistant_id: 'slow', stream_mode: ['updates'], stream_resumable, ...say('A') }
    started.push(await run(await thread(), body))
  }
  const [plain, resumable] = started as [RunBody, RunBody]
  await clock.advance(500)
  const tail = await join(plain)
  expect(tail.headers.get('location')).toBe(`/threads/${plain.thread_id}/runs/${plain.run_id}/stream`)
  await clock.advance(1000)
  const nodes = async (response: Response): Promise<string[]> =>
    (await eventsOf(response)).flatMap(({ data }) => Object.keys(data as object))
  expect(await nodes(tail)).toEqual(['sleep', 'after'])
  expect(await nodes(await join(plain, { 'last-event-id': '-1' }))).toEqual([])
  expect(await nodes(await join(resumable, { 'last-event-id': '0' }))).toEqual(['before', 'sleep', 'after'])
})

test('agent-server sends heartbeats in a waiting stream', async () => {
  const clock = manualClock(0)
  const { thread, send } = clientOf(createMockServer({ clock, dialect: 'agent-server' }))
  const config = { configurable: { delay_ms: 12_000 } }
  const body = { assistant_id: 'slow', stream_mode: ['updates'], config, ...say('A') }
  const response = await send('POST', `/threads/${(await thread()).thread_id}/runs/stream`, body)
  const text = response.text()
  await clock.advance(13_000)
  expect((await text).match(/^: heartbeat\r\n\r\n/gm)).toHaveLength(2)
  expect(await text).toMatch(/^event: metadata\r\ndata: .*\r\n\r\n/)
})

test('a stream that nobody reads any more leaves no timer, and continues with heartbeats if it is read', async () => {
  const clock = manualClock(0)
  const { thread, send } = clientOf(createMockServer({ clock, dialect: 'agent-server' }))
  const body = { assistant_id: 'slow', config: { configurable: { delay_ms: 60_000 } }, ...say('A') }
  const response = await send('POST', `/threads/${(await thread()).thread_id}/runs/stream`, body)
  await clock.advance(70_000)
  expect(clock.next()).toBeUndefined()

  const reader = response.body?.getReader()
  await reader?.read()
  expect(clock.next()).toBeDefined()
  await reader?.cancel()
  expect(clock.next()).toBeUndefined()
})

test('a run continues after its reader disconnects, unless on_disconnect is cancel', async () => {
  const mock = createMockServer()
  const server = await listen(mock, { port: 0 })
  const { thread, get, ended } = clientOf(mock)
  const leave = async (on_disconnect: string | undefined, delay_ms: number): Promise<RunBody> => {
    const { thread_id } = await thread()
    const controller = new AbortController()
    const body = { assistant_id: 'slow', config: { configurable: { delay_ms } }, on_disconnect, ...say('A') }
    const response = await fetch(`${server.url}/threads/${thread_id}/runs/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: controller.signal,
    })
    await response.body?.getReader().read()
    controller.abort()
    const [run] = await get<RunBody[]>(`/threads/${thread_id}/runs`)
    if (run === undefined) throw new Error('There is no run')
    return ended(run)
  }
  expect((await leave(undefined, 100)).status).toBe('success')
  expect((await leave('continue', 100)).status).toBe('success')
  expect((await leave('cancel', 60_000)).status).toBe('interrupted')
  await server.close()
})

test('a run continues after a joining client disconnects, unless cancel_on_disconnect is set', async () => {
  const clock = manualClock(0)
  const mock = createMockServer({ clock })
  const { thread, run, reload } = clientOf(mock)
  const created = await thread()
  const started = await run(created, { assistant_id: 'slow', ...say('A') })
  const leave = (query: string): void => {
    const controller = new AbortController()
    const url = `http://mock/threads/${created.thread_id}/runs/${started.run_id}/join${query}`
    mock.fetch(new Request(url, { signal: controller.signal })).catch(() => undefined)
    void clock.sleep(100).then(() => controller.abort())
  }
  leave('?cancel_on_disconnect=0')
  await clock.advance(200)
  expect((await reload(started)).status).toBe('pending')
  leave('?cancel_on_disconnect=1')
  await clock.advance(200)
  expect((await reload(started)).status).toBe('interrupted')
})

test('a thread stream in the mode lifecycle has the start and the end of each run', async () => {
  const mock = createMockServer()
  const { client, thread_id } = await sdkThread(mock)
  for (const graph of ['echo', 'fail']) {
    const { run_id } = await client.runs.create(thread_id, graph, say('A'))
    await client.runs.join(thread_id, run_id)
  }
  const stream = client.threads.joinStream(thread_id, { streamMode: 'lifecycle', lastEventId: '-' })
  const events = [await stream.next(), await stream.next(), await stream.next(), await stream.next()]
  expect(events.map(({ value }) => [value?.event, value?.data])).toMatchObject([
    ['metadata', { attempt: 1 }],
    ['metadata', { status: 'run_done' }],
    ['metadata', { attempt: 1 }],
    ['metadata', { status: 'run_done' }],
  ])
  await mock.close()
})

test('the modes of a joined stream can be a JSON array, a repeated parameter or an empty text', async () => {
  const { thread, run, send, ended } = clientOf(createMockServer())
  const started = await run(await thread(), { assistant_id: 'echo', stream_mode: ['updates'], ...say('A') })
  await ended(started)
  const names = async (query: string) => {
    const path = `/threads/${started.thread_id}/runs/${started.run_id}/stream${query}`
    return (await eventsOf(await send('GET', path))).map(({ event }) => event)
  }
  const updates = ['metadata', 'updates', 'updates']
  const both = ['metadata', 'values', 'updates', 'values', 'updates', 'values']
  expect(await names('?stream_mode=')).toEqual(updates)
  expect(await names(`?stream_mode=${encodeURIComponent('["values","updates"]')}`)).toEqual(both)
  expect(await names('?stream_mode=values&stream_mode=updates')).toEqual(both)
  await expect(names('?stream_mode=nope')).rejects.toThrow(/422 .*expected one of values, .*received \\"nope\\"/)
})
