import { expect } from 'vitest'
import { contents, echoed, endless, human, NOWHERE, type SdkCall } from './context.ts'

export const threadCalls: readonly SdkCall[] = [
  {
    method: 'threads.get',
    request: 'GET /threads/{thread_id}',
    try: async (context) => {
      const { thread_id } = await echoed(context)
      const thread = await context.client.threads.get(thread_id)
      expect(thread).toMatchObject({ thread_id, status: 'idle', metadata: { graph_id: 'echo' } })
      expect(contents(thread.values).at(-1)).toBe('second: hi')
      await expect(context.client.threads.get(NOWHERE)).rejects.toMatchObject({ status: 404 })
    },
  },
  {
    method: 'threads.create',
    request: 'POST /threads',
    try: async ({ client }) => {
      const { thread_id } = await client.threads.create({ metadata: { user: 'me' } })
      await expect(client.threads.create({ threadId: thread_id })).rejects.toMatchObject({ status: 409 })
      const existing = await client.threads.create({ threadId: thread_id, ifExists: 'do_nothing' })
      expect(existing).toMatchObject({ thread_id, metadata: { user: 'me' } })
    },
  },
  {
    method: 'threads.create',
    how: 'with supersteps',
    request: 'POST /threads',
    try: async ({ client }) => {
      const { thread_id } = await client.threads.create({
        graphId: 'echo',
        supersteps: [
          { updates: [{ values: human('asked'), asNode: '__start__' }] },
          { updates: [{ values: { messages: [{ role: 'ai', content: 'answered' }] }, asNode: 'first' }] },
        ],
      })
      const state = await client.threads.getState(thread_id)
      expect(contents(state.values)).toEqual(['asked', 'answered'])
      expect(state.next).toEqual(['second'])
      expect(await client.threads.getHistory(thread_id)).toHaveLength(2)
    },
  },
  {
    method: 'threads.copy',
    request: 'POST /threads/{thread_id}/copy',
    try: async (context) => {
      const { client } = context
      const { thread_id } = await echoed(context)
      const copy = await client.threads.copy(thread_id)
      await client.runs.wait(copy.thread_id, 'echo', { input: human('more') })
      expect(contents((await client.threads.getState(copy.thread_id)).values)).toHaveLength(6)
      expect(contents((await client.threads.getState(thread_id)).values)).toHaveLength(3)
    },
  },
  {
    method: 'threads.update',
    request: 'PATCH /threads/{thread_id}',
    try: async ({ client }) => {
      const { thread_id } = await client.threads.create({ metadata: { a: 1, b: 1 } })
      const updated = await client.threads.update(thread_id, { metadata: { b: 2, c: 3 } })
      expect(updated).toMatchObject({ thread_id, metadata: { a: 1, b: 2, c: 3 } })
    },
  },
  {
    method: 'threads.update',
    how: 'without a result',
    missingIn: ['2.0.0'],
    request: 'PATCH /threads/{thread_id}',
    try: async ({ client }) => {
      const { thread_id } = await client.threads.create({ metadata: { a: 1 } })
      const minimal = await client.threads.update(thread_id, { metadata: { d: 4 }, returnMinimal: true })
      expect(minimal).toBeUndefined()
      expect(await client.threads.get(thread_id)).toMatchObject({ metadata: { a: 1, d: 4 } })
    },
  },
  {
    method: 'threads.delete',
    request: 'DELETE /threads/{thread_id}',
    try: async ({ client }) => {
      const { thread_id } = await client.threads.create()
      const { run_id } = await client.runs.create(thread_id, 'slow', endless)
      const joined = client.runs.join(thread_id, run_id)
      await client.threads.delete(thread_id)
      await joined
      await expect(client.threads.get(thread_id)).rejects.toMatchObject({ status: 404 })
      await expect(client.threads.delete(thread_id)).rejects.toMatchObject({ status: 404 })
    },
  },
  {
    method: 'threads.prune',
    request: 'POST /threads/prune',
    try: async (context) => {
      const { client } = context
      const { thread_id } = await echoed(context)
      const other = await client.threads.create()
      expect(await client.threads.prune([thread_id], { strategy: 'keep_latest' })).toEqual({ pruned_count: 1 })
      expect(await client.threads.getHistory(thread_id)).toHaveLength(1)
      expect(await client.threads.prune([thread_id, NOWHERE])).toEqual({ pruned_count: 1 })
      expect((await client.threads.search()).map((thread) => thread.thread_id)).toEqual([other.thread_id])
    },
  },
  {
    method: 'threads.search',
    request: 'POST /threads/search',
    try: async (context) => {
      const { client } = context
      const { thread_id } = await echoed(context)
      const mine = await client.threads.create({ metadata: { user: 'me' } })
      const ids = (threads: { thread_id: string }[]): string[] => threads.map((thread) => thread.thread_id)
      expect(ids(await client.threads.search({ metadata: { graph_id: 'echo' } }))).toEqual([thread_id])
      expect(ids(await client.threads.search({ metadata: { user: 'me' }, status: 'idle' }))).toEqual([mine.thread_id])
      expect(ids(await client.threads.search({ status: 'busy' }))).toEqual([])
      expect(ids(await client.threads.search({ ids: [thread_id, NOWHERE] }))).toEqual([thread_id])
      expect(ids(await client.threads.search({ sortOrder: 'asc' }))).toEqual([thread_id, mine.thread_id])
      expect(ids(await client.threads.search({ sortBy: 'updated_at', limit: 1, offset: 1 }))).toHaveLength(1)
    },
  },
  {
    method: 'threads.search',
    how: 'with values of the state',
    missingIn: ['2.0.0'],
    request: 'POST /threads/search',
    try: async (context) => {
      const { client } = context
      const { thread_id } = await echoed(context)
      const extract = { last: 'values.messages[-1].content', none: 'values.nothing[3]' }
      const [thread] = await client.threads.search({ ids: [thread_id], select: ['thread_id'], extract })
      expect(thread).toEqual({ thread_id, extracted: { last: 'second: hi', none: null } })
    },
  },
  {
    method: 'threads.count',
    request: 'POST /threads/count',
    try: async ({ client }) => {
      for (const user of ['me', 'you', 'me']) await client.threads.create({ metadata: { user } })
      expect(await client.threads.count({ metadata: { user: 'me' } })).toBe(2)
      expect(await client.threads.count()).toBe(3)
    },
  },
  {
    method: 'threads.getState',
    request: 'GET /threads/{thread_id}/state',
    try: async (context) => {
      const { thread_id } = await echoed(context)
      expect(await context.client.threads.getState(thread_id)).toMatchObject({ next: [], checkpoint: { thread_id } })
    },
  },
  {
    method: 'threads.getState',
    how: 'of a checkpoint id',
    request: 'GET /threads/{thread_id}/state/{checkpoint_id}',
    try: async (context) => {
      const { client } = context
      const { thread_id } = await echoed(context)
      const before = (await client.threads.getHistory(thread_id)).find(({ next }) => next[0] === 'second')
      const state = await client.threads.getState(thread_id, before?.checkpoint.checkpoint_id ?? '')
      expect(state).toEqual(before)
      expect(contents(state.values)).toEqual(['hi', 'first: hi'])
      await expect(client.threads.getState(thread_id, NOWHERE)).rejects.toMatchObject({ status: 404 })
    },
  },
  {
    method: 'threads.getState',
    how: 'of a checkpoint',
    request: 'POST /threads/{thread_id}/state/checkpoint',
    try: async (context) => {
      const { client } = context
      const { thread_id } = await echoed(context)
      for (const state of await client.threads.getHistory(thread_id)) {
        expect(await client.threads.getState(thread_id, state.checkpoint)).toEqual(state)
      }
    },
  },
  {
    method: 'threads.updateState',
    request: 'POST /threads/{thread_id}/state',
    try: async (context) => {
      const { client } = context
      const { thread_id } = await echoed(context)
      const { messages } = (await client.threads.getState<{ messages: { id: string }[] }>(thread_id)).values
      const edited = { messages: [{ role: 'ai', content: 'edited', id: messages[1]?.id }] }
      const { checkpoint } = (await client.threads.updateState(thread_id, {
        values: edited,
        asNode: 'first',
      })) as unknown as {
        checkpoint: { checkpoint_id: string }
      }
      const state = await client.threads.getState(thread_id)
      expect(state).toMatchObject({ next: ['second'], metadata: { source: 'update' }, checkpoint })
      expect(contents(state.values)).toEqual(['hi', 'edited', 'second: hi'])
      expect(await client.threads.get(thread_id)).toMatchObject({ status: 'interrupted' })
      expect(contents(await client.runs.wait(thread_id, 'echo', { input: null }))).toHaveLength(4)
    },
  },
  {
    method: 'threads.patchState',
    request: 'PATCH /threads/{thread_id}/state',
    refused: 'PATCH is not allowed here, only POST, GET',
    try: async ({ client }) => {
      const { thread_id } = await client.threads.create()
      await client.threads.patchState(thread_id, { a: 1 })
    },
  },
  {
    method: 'threads.getHistory',
    request: 'POST /threads/{thread_id}/history',
    try: async (context) => {
      const { client } = context
      const { thread_id } = await echoed(context)
      const all = await client.threads.getHistory(thread_id)
      expect(all.map(({ next }) => next)).toEqual([[], ['second'], ['first'], ['__start__']])
      const [newest, second] = all
      const before = { configurable: { checkpoint_id: second?.checkpoint.checkpoint_id } }
      expect(await client.threads.getHistory(thread_id, { limit: 1, before })).toEqual([all[2]])
      const input = { metadata: { source: 'input' } }
      expect(await client.threads.getHistory(thread_id, input)).toEqual([all[3]])
      expect(await client.threads.getHistory(thread_id, { checkpoint: newest?.checkpoint ?? {} })).toEqual([newest])
    },
  },
  {
    method: 'threads.joinStream',
    request: 'GET /threads/{thread_id}/stream',
    try: async (context) => {
      const { client } = context
      const { thread_id } = await echoed(context, 'before')
      const stream = client.threads.joinStream(thread_id)
      // The first call of `next` sends the request, so no later event is missed.
      const first = stream.next()
      // A server without this endpoint rejects it before it is awaited.
      first.catch(() => undefined)
      await expect.poll(() => context.requests.at(-1)).toBe(`GET /threads/${thread_id}/stream`)
      for (const text of ['one', 'two']) await client.runs.wait(thread_id, 'echo', { input: human(text) })
      const events = [(await first).value]
      for (let count = 1; count < 10; count++) events.push((await stream.next()).value)
      expect(events.map(({ event }) => event).join(' ')).toBe(
        'metadata values values values metadata metadata values values values metadata',
      )
      expect([events[4], events[9]].map(({ data }) => data.status)).toEqual(['run_done', 'run_done'])
      const ids = events.map(({ id }) => Number(id))
      expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index))
      const resumed = client.threads.joinStream(thread_id, { lastEventId: String(ids[5]) })
      expect((await resumed.next()).value).toEqual(events[6])
      await client.threads.delete(thread_id)
      expect(await stream.next()).toEqual({ done: true, value: undefined })
    },
  },
  {
    method: 'threads.stream',
    request: 'POST /threads/{thread_id}/commands',
    try: async ({ client, fetch }) => {
      const { thread_id } = await client.threads.create()
      const stream = client.threads.stream(thread_id, { assistantId: 'echo', maxReconnectAttempts: 0, fetch })
      await stream.run.start({ input: human('hi') })
      expect(await stream.output).toMatchObject({ messages: [{ content: 'hi' }, {}, { content: 'second: hi' }] })
      await stream.close()
    },
  },
]
