import { Client } from '@langchain/langgraph-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, start } from '../fixtures/touchstone.ts'

/** A message as a human's input. */
function human(content: string) {
  return { messages: [{ role: 'user', content }] }
}

interface Values {
  messages: { type: string; content: unknown; id: string; name?: string; tool_calls?: { id: string }[] }[]
}

describe.each(['spec', 'agent-server', 'js-dev'])('the public SDK against touchstone serve --dialect %s', (dialect) => {
  let server: Running
  let guarded: Running
  let client: Client
  let urls: string[]

  beforeAll(async () => {
    server = start(['serve', '--port', '0', '--dialect', dialect])
    guarded = start(['serve', '--port', '0', '--dialect', dialect, '--test-auth'])
    const lines = await Promise.all([server.firstLine, guarded.firstLine])
    urls = lines.map((line) => line.trim().replace('listening on ', ''))
    client = new Client({ apiUrl: urls[0] ?? '' })
  })

  afterAll(async () => {
    for (const { process } of [server, guarded]) process.kill('SIGTERM')
    expect((await Promise.all([server.ended, guarded.ended])).map(({ code }) => code)).toEqual([0, 0])
  })

  test('assistants: finds, reads and configures them', async () => {
    const all = await client.assistants.search({ limit: 100 })
    expect(all.map(({ graph_id }) => graph_id)).toEqual(expect.arrayContaining(['echo', 'slow', 'tools', 'fail']))
    const config = { configurable: { cup: 'blue' } }
    const created = await client.assistants.create({ graphId: 'whoami', config, metadata: { team: 'tea' } })
    expect(created).toMatchObject({ graph_id: 'whoami', config, metadata: { team: 'tea' }, version: 1 })
    expect(await client.assistants.get(created.assistant_id)).toEqual(created)
    const matching = await client.assistants.search({ metadata: { team: 'tea' } })
    expect(matching.map(({ assistant_id }) => assistant_id)).toEqual([created.assistant_id])

    const { thread_id } = await client.threads.create()
    const run = await client.runs.create(thread_id, created.assistant_id, { input: human('who?') })
    const { messages } = (await client.runs.join(thread_id, run.run_id)) as unknown as Values
    expect(JSON.stringify(messages.at(-1)?.content)).toContain('blue')
  })

  test('assistants: returns each one on one page', async () => {
    const ids: string[] = []
    for (let offset = 0; ; offset += 2) {
      const page = await client.assistants.search({ limit: 2, offset })
      expect(page.length).toBeLessThanOrEqual(2)
      if (page.length === 0) break
      ids.push(...page.map(({ assistant_id }) => assistant_id))
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBe((await client.assistants.search({ limit: 100 })).length)
  })

  test('threads and runs: runs two turns on one thread', async () => {
    const thread = await client.threads.create({ metadata: { user: 'me' } })
    expect(thread).toMatchObject({ status: 'idle', metadata: { user: 'me' } })
    const ids: string[] = []
    for (const words of ['one', 'two']) {
      const run = await client.runs.create(thread.thread_id, 'echo', {
        input: human(words),
        metadata: { turn: words },
        multitaskStrategy: 'enqueue',
      })
      expect(run).toMatchObject({ thread_id: thread.thread_id, status: 'pending', multitask_strategy: 'enqueue' })
      ids.push(run.run_id)
    }
    const [first = '', second = ''] = ids
    const values = (await client.runs.join(thread.thread_id, second)) as unknown as Values

    expect(values.messages.map(({ type, content }) => `${type} ${content}`)).toEqual([
      'human one',
      'ai first: one',
      'ai second: one',
      'human two',
      'ai first: two',
      'ai second: two',
    ])
    expect(await client.runs.get(thread.thread_id, first)).toMatchObject({
      status: 'success',
      metadata: { turn: 'one' },
    })
    const listed = await client.runs.list(thread.thread_id)
    expect(new Set(listed.map(({ run_id }) => run_id))).toEqual(new Set(ids))
    const state = await client.threads.getState<Values>(thread.thread_id)
    expect(state).toMatchObject({ values, next: [] })
    expect(state.metadata).toMatchObject({ run_id: second })
    expect(state.checkpoint.thread_id).toBe(thread.thread_id)
  })

  test('runs: ends a run with an error if its graph fails', async () => {
    const { thread_id } = await client.threads.create()
    const { run_id } = await client.runs.create(thread_id, 'fail', { input: human('go') })
    await client.runs.join(thread_id, run_id).catch(() => undefined)
    expect(await client.runs.get(thread_id, run_id)).toMatchObject({ status: 'error' })
  })

  test('runs: interrupts an executing run with a new one', async () => {
    const { thread_id } = await client.threads.create()
    const config = { configurable: { delay_ms: 60_000 } }
    const slow = await client.runs.create(thread_id, 'slow', { input: human('wait'), config })
    const next = await client.runs.create(thread_id, 'echo', { input: human('now'), multitaskStrategy: 'interrupt' })
    const { messages } = (await client.runs.join(thread_id, next.run_id)) as unknown as Values
    expect(messages.at(-1)?.content).toBe('second: now')
    expect(await client.runs.get(thread_id, slow.run_id)).toMatchObject({ status: 'interrupted' })
  })

  test('runs.stream: sends updates, values and message tuples, and the run id first', async () => {
    const { thread_id } = await client.threads.create()
    const created: string[] = []
    const events: { event: string; data: unknown }[] = []
    const stream = client.runs.stream(thread_id, 'tools', {
      input: human('tea'),
      streamMode: ['updates', 'values', 'messages-tuple'],
      streamResumable: true,
      onRunCreated: ({ run_id }) => created.push(run_id),
    })
    for await (const event of stream) events.push(event)

    const [run_id = ''] = created
    expect(events[0]).toMatchObject({ event: 'metadata', data: { run_id } })
    const of = (name: string) => events.filter(({ event }) => event === name).map(({ data }) => data)
    expect(of('updates').map((data) => Object.keys(data as object))).toEqual([['plan'], ['lookup'], ['answer']])
    expect(of('messages').every((data) => Array.isArray(data) && data.length === 2)).toBe(true)
    expect(of('messages').length).toBeGreaterThan(2)
    expect(of('error')).toEqual([])
    const last = of('values').at(-1) as Values
    expect(last.messages.map(({ type }) => type)).toEqual(['human', 'ai', 'tool', 'ai'])
    expect((await client.threads.getState(thread_id)).values).toEqual(last)

    const again: string[] = []
    for await (const { event } of client.runs.joinStream(thread_id, run_id, { lastEventId: '-1' })) again.push(event)
    expect(again).toEqual(events.map(({ event }) => event))
  })

  test('returns 404 for missing resources', async () => {
    const nowhere = '00000000-0000-4000-8000-000000000000'
    const { thread_id } = await client.threads.create()
    await expect(client.assistants.get(nowhere)).rejects.toMatchObject({ status: 404 })
    await expect(client.threads.getState(nowhere)).rejects.toMatchObject({ status: 404 })
    await expect(client.runs.get(thread_id, nowhere)).rejects.toMatchObject({ status: 404 })
  })

  test('custom authentication: rejects requests without a token and separates users', async () => {
    const as = (token?: string) =>
      new Client({
        apiUrl: urls[1] ?? '',
        callerOptions: { maxRetries: 0 },
        ...(token && { defaultHeaders: { authorization: `Bearer touchstone-${token}` } }),
      })
    await expect(as().threads.create()).rejects.toMatchObject({ status: 401 })
    const { thread_id } = await as('alice').threads.create()
    const { run_id } = await as('alice').runs.create(thread_id, 'whoami', { input: human('who am I?') })
    const { messages } = (await as('alice').runs.join(thread_id, run_id)) as unknown as Values
    expect(JSON.stringify(messages.at(-1)?.content)).toContain('alice')
    await expect(as('bob').runs.get(thread_id, run_id)).rejects.toMatchObject({ status: 404 })
    await expect(as('bob').threads.getState(thread_id)).rejects.toMatchObject({ status: 404 })
  })
})
