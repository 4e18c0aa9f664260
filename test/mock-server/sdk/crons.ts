import { expect } from 'vitest'
import { human, type SdkCall, type SdkContext } from './context.ts'

const nightly = { schedule: '0 3 * * *', input: human('report'), metadata: { team: 'a' } }

/** Creates a cron and returns it as a search shows it. */
async function created({ client }: SdkContext): Promise<Record<string, unknown> & { cron_id: string }> {
  await client.crons.create('echo', nightly)
  const [cron] = await client.crons.search()
  if (cron === undefined) throw new Error('the search found no cron')
  return { ...cron }
}

export const cronCalls: readonly SdkCall[] = [
  {
    method: 'crons.createForThread',
    request: 'POST /threads/{thread_id}/runs/crons',
    try: async ({ client }) => {
      const { thread_id } = await client.threads.create()
      await client.crons.createForThread(thread_id, 'echo', nightly)
      expect(await client.crons.search({ threadId: thread_id })).toMatchObject([
        { thread_id, schedule: '0 3 * * *', enabled: true },
      ])
    },
  },
  {
    method: 'crons.createForThread',
    how: 'in a time zone',
    missingIn: ['2.0.0'],
    request: 'POST /threads/{thread_id}/runs/crons',
    try: async ({ client }) => {
      const { thread_id } = await client.threads.create()
      await client.crons.createForThread(thread_id, 'echo', { ...nightly, timezone: 'Europe/Berlin' })
      expect(await client.crons.search({ threadId: thread_id })).toMatchObject([{ timezone: 'Europe/Berlin' }])
    },
  },
  {
    method: 'crons.create',
    request: 'POST /runs/crons',
    try: async (context) => {
      expect(await created(context)).toMatchObject({
        thread_id: null,
        metadata: { team: 'a' },
        payload: { input: human('report') },
        next_run_date: expect.stringMatching(/T03:00:00/),
      })
    },
  },
  {
    method: 'crons.update',
    request: 'PATCH /runs/crons/{cron_id}',
    try: async (context) => {
      const { cron_id } = await created(context)
      await context.client.crons.update(cron_id, { schedule: '0 4 * * *', enabled: false })
      expect(await context.client.crons.search({ enabled: false })).toMatchObject([
        { cron_id, schedule: '0 4 * * *', payload: { input: human('report') } },
      ])
    },
  },
  {
    method: 'crons.delete',
    request: 'DELETE /runs/crons/{cron_id}',
    try: async (context) => {
      const { cron_id } = await created(context)
      await context.client.crons.delete(cron_id)
      expect(await context.client.crons.search()).toEqual([])
      await expect(context.client.crons.delete(cron_id)).rejects.toThrow(/404/)
    },
  },
  {
    method: 'crons.search',
    request: 'POST /runs/crons/search',
    try: async (context) => {
      const { cron_id } = await created(context)
      await context.client.crons.create('chat', { schedule: '@hourly' })
      const select: ('cron_id' | 'schedule')[] = ['cron_id', 'schedule']
      const found = await context.client.crons.search({ sortBy: 'created_at', sortOrder: 'asc', limit: 1, select })
      expect(found).toEqual([{ cron_id, schedule: '0 3 * * *' }])
      expect(await context.client.crons.search({ assistantId: 'chat' })).toHaveLength(1)
    },
  },
  {
    method: 'crons.count',
    request: 'POST /runs/crons/count',
    try: async (context) => {
      await created(context)
      expect(await context.client.crons.count()).toBe(1)
    },
  },
  {
    method: 'crons.count',
    how: 'by metadata',
    missingIn: ['2.0.0'],
    request: 'POST /runs/crons/count',
    try: async (context) => {
      await created(context)
      expect(await context.client.crons.count({ metadata: { team: 'a' } })).toBe(1)
      expect(await context.client.crons.count({ metadata: { team: 'b' } })).toBe(0)
    },
  },
]
