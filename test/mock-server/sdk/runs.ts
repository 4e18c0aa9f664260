import { expect } from 'vitest'
import { contents, echoed, endless, human, type SdkCall, type SdkContext } from './context.ts'

/** Reads a stream to its end and returns the names of its events. */
async function names(stream: AsyncIterable<{ event: string }>): Promise<string[]> {
  const events: string[] = []
  for await (const { event } of stream) events.push(event)
  return events
}

/** Waits until the thread of a stateless run is deleted. */
async function noThreadRemains({ client }: SdkContext): Promise<void> {
  await expect.poll(() => client.threads.count()).toBe(0)
}

export const runCalls: readonly SdkCall[] = [
  {
    method: 'runs.stream',
    request: 'POST /threads/{thread_id}/runs/stream',
    try: async ({ client }) => {
      const { thread_id } = await client.threads.create()
      const created: object[] = []
      const stream = client.runs.stream(thread_id, 'echo', {
        input: human('hi'),
        streamMode: 'updates',
        onRunCreated: (run) => created.push(run),
      })
      expect(await names(stream)).toEqual(['metadata', 'updates', 'updates'])
      expect(created).toMatchObject([{ thread_id }])
    },
  },
  {
    method: 'runs.stream',
    how: 'stateless',
    request: 'POST /runs/stream',
    try: async (context) => {
      const created: { run_id: string }[] = []
      const stream = context.client.runs.stream(null, 'echo', {
        input: human('hi'),
        streamMode: 'updates',
        onRunCreated: (run) => created.push(run),
      })
      expect(await names(stream)).toEqual(['metadata', 'updates', 'updates'])
      expect(created).toMatchObject([{ run_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
      await noThreadRemains(context)
    },
  },
  {
    method: 'runs.create',
    request: 'POST /threads/{thread_id}/runs',
    try: async (context) => {
      const { client } = context
      const { thread_id, run_id } = await echoed(context)
      const first = (await client.threads.getHistory(thread_id)).find(({ next }) => next[0] === 'second')
      if (first === undefined) throw new Error('The history has no state before the second node')
      const fork = await client.runs.create(thread_id, 'echo', { input: null, checkpoint: first.checkpoint })
      expect(contents(await client.runs.join(thread_id, fork.run_id))).toEqual(['hi', 'first: hi', 'second: hi'])
      expect(fork.run_id).not.toBe(run_id)
    },
  },
  {
    method: 'runs.create',
    how: 'stateless',
    request: 'POST /runs',
    try: async (context) => {
      const run = await context.client.runs.create(null, 'echo', { input: human('hi') })
      expect(run).toMatchObject({ status: 'pending', kwargs: { temporary: true } })
      await noThreadRemains(context)
    },
  },
  {
    method: 'runs.create',
    how: 'stateless, keeping the thread',
    missingIn: ['2.0.0'],
    request: 'POST /runs',
    try: async (context) => {
      // The type of the SDK differs from the values that its servers accept.
      const onCompletion = 'keep' as 'continue'
      const kept = await context.client.runs.create(null, 'echo', { input: human('hi'), onCompletion })
      await context.client.runs.join(kept.thread_id, kept.run_id)
      expect(await context.client.threads.get(kept.thread_id)).toMatchObject({ status: 'idle' })
    },
  },
  {
    method: 'runs.createBatch',
    request: 'POST /runs/batch',
    try: async (context) => {
      const { client } = context
      const runs = await client.runs.createBatch([
        { assistantId: 'echo', input: human('one') },
        { assistantId: 'chat', input: human('two') },
      ])
      expect(runs.map(({ status }) => status)).toEqual(['pending', 'pending'])
      await noThreadRemains(context)
      const bad = [{ assistantId: 'echo' }, { assistantId: 'nobody' }]
      await expect(client.runs.createBatch(bad)).rejects.toThrow(/No assistant found for .*nobody/)
      expect(await client.threads.count()).toBe(0)
    },
  },
  {
    method: 'runs.wait',
    request: 'POST /threads/{thread_id}/runs/wait',
    try: async ({ client }) => {
      const { thread_id } = await client.threads.create()
      expect(contents(await client.runs.wait(thread_id, 'echo', { input: human('hi') }))).toHaveLength(3)
      await expect(client.runs.wait(thread_id, 'fail', { input: human('hi') })).rejects.toThrow()
      expect(await client.threads.get(thread_id)).toMatchObject({ status: 'error' })
    },
  },
  {
    method: 'runs.wait',
    how: 'stateless',
    request: 'POST /runs/wait',
    try: async (context) => {
      expect(contents(await context.client.runs.wait(null, 'echo', { input: human('hi') }))).toHaveLength(3)
      await noThreadRemains(context)
    },
  },
  {
    method: 'runs.list',
    request: 'GET /threads/{thread_id}/runs',
    try: async (context) => {
      const { client } = context
      const { thread_id, run_id } = await echoed(context)
      expect(await client.runs.list(thread_id, { select: ['run_id', 'status'] })).toEqual([
        { run_id, status: 'success' },
      ])
      expect(await client.runs.list(thread_id, { status: 'error' })).toEqual([])
    },
  },
  {
    method: 'runs.get',
    request: 'GET /threads/{thread_id}/runs/{run_id}',
    try: async (context) => {
      const { thread_id, run_id } = await echoed(context)
      expect(await context.client.runs.get(thread_id, run_id)).toMatchObject({ run_id, status: 'success' })
    },
  },
  {
    method: 'runs.cancel',
    request: 'POST /threads/{thread_id}/runs/{run_id}/cancel',
    try: async ({ client }) => {
      const { thread_id } = await client.threads.create()
      const stopped = await client.runs.create(thread_id, 'slow', endless)
      await client.runs.cancel(thread_id, stopped.run_id)
      expect(await client.runs.get(thread_id, stopped.run_id)).toMatchObject({ status: 'interrupted' })
      const undone = await client.runs.create(thread_id, 'slow', endless)
      await client.runs.cancel(thread_id, undone.run_id, true, 'rollback')
      await expect(client.runs.get(thread_id, undone.run_id)).rejects.toMatchObject({ status: 404 })
      await expect(client.runs.cancel(thread_id, stopped.run_id)).rejects.toMatchObject({ status: 404 })
    },
  },
  {
    method: 'runs.cancelMany',
    request: 'POST /runs/cancel',
    try: async ({ client }) => {
      const threads = [await client.threads.create(), await client.threads.create()]
      const runs = []
      for (const { thread_id } of threads) runs.push(await client.runs.create(thread_id, 'slow', endless))
      const [first, second] = runs
      await client.runs.cancelMany({ threadId: first?.thread_id ?? '', runIds: [first?.run_id ?? ''] })
      expect(await client.threads.search({ status: 'busy' })).toMatchObject([{ thread_id: second?.thread_id }])
      await client.runs.cancelMany({ status: 'all' })
      expect(await client.threads.search({ status: 'busy' })).toEqual([])
    },
  },
  {
    method: 'runs.join',
    request: 'GET /threads/{thread_id}/runs/{run_id}/join',
    try: async (context) => {
      const { thread_id, run_id } = await echoed(context)
      expect(contents(await context.client.runs.join(thread_id, run_id))).toHaveLength(3)
    },
  },
  {
    method: 'runs.joinStream',
    request: 'GET /threads/{thread_id}/runs/{run_id}/stream',
    try: async ({ client }) => {
      const { thread_id } = await client.threads.create()
      const { run_id } = await client.runs.create(thread_id, 'echo', { input: human('hi'), streamResumable: true })
      await client.runs.join(thread_id, run_id)
      const stream = client.runs.joinStream(thread_id, run_id, { lastEventId: '-1' })
      expect(await names(stream)).toEqual(['metadata', 'values', 'values', 'values'])
    },
  },
  {
    method: 'runs.joinStream',
    how: 'stateless',
    request: 'GET /runs/{run_id}/stream',
    try: async ({ client }) => {
      const { thread_id, run_id } = await client.runs.create(null, 'slow', { ...endless, streamResumable: true })
      const stream = client.runs.joinStream(null, run_id, { lastEventId: '-1' })
      expect((await stream.next()).value).toMatchObject({ event: 'metadata', data: { run_id } })
      await client.runs.cancel(thread_id, run_id)
      expect(await names(stream)).not.toContain('error')
    },
  },
  {
    method: 'runs.delete',
    request: 'DELETE /threads/{thread_id}/runs/{run_id}',
    try: async (context) => {
      const { client } = context
      const { thread_id, run_id } = await echoed(context, 'one')
      const second = await client.runs.create(thread_id, 'echo', { input: human('two') })
      await client.runs.join(thread_id, second.run_id)
      await client.runs.delete(thread_id, second.run_id)
      await expect(client.runs.get(thread_id, second.run_id)).rejects.toMatchObject({ status: 404 })
      expect((await client.runs.list(thread_id)).map((run) => run.run_id)).toEqual([run_id])
      expect(contents((await client.threads.getState(thread_id)).values)).toEqual(['one', 'first: one', 'second: one'])
    },
  },
]
