import type { JsonObject } from '../http/fields.ts'

const THREAD_ID = '0199d3c0-6f1e-7a40-8c55-0242ac120002'
const RUN_ID = '0199d3c0-7a11-7b52-9d07-0242ac120003'
const CHECKPOINT_ID = '1f0a4c1e-59f2-6c3a-8001-0242ac120004'

const input = { messages: [{ role: 'user', content: 'Hello' }] }
const run = { assistant_id: 'echo', input, multitask_strategy: 'enqueue' }
const streamed = { ...run, stream_mode: ['updates', 'messages-tuple'] }
const stateless = { assistant_id: 'echo', input }

/** An example of each request body, by endpoint. */
export const bodyExamples: Readonly<Record<string, JsonObject | readonly JsonObject[]>> = {
  'POST /threads': { metadata: { user: 'ada' } },
  'PATCH /threads/{thread_id}': { metadata: { topic: 'orders' } },
  'POST /threads/search': { metadata: { user: 'ada' }, status: 'idle', limit: 10 },
  'POST /threads/count': { status: 'idle' },
  'POST /threads/prune': { thread_ids: [THREAD_ID], strategy: 'delete' },
  'POST /threads/{thread_id}/state': { values: input, as_node: 'first' },
  'POST /threads/{thread_id}/state/checkpoint': { checkpoint: { checkpoint_id: CHECKPOINT_ID } },
  'POST /threads/{thread_id}/history': { limit: 10 },
  'POST /threads/{thread_id}/commands': { id: 1, method: 'run.start', params: { assistant_id: 'echo', input } },
  'POST /threads/{thread_id}/stream/events': { channels: ['values', 'messages', 'lifecycle', 'input'] },
  'POST /threads/{thread_id}/runs': run,
  'POST /threads/{thread_id}/runs/wait': run,
  'POST /threads/{thread_id}/runs/stream': streamed,
  'POST /runs': stateless,
  'POST /runs/wait': stateless,
  'POST /runs/stream': { ...stateless, stream_mode: ['updates'] },
  'POST /runs/batch': [stateless, stateless],
  'POST /runs/cancel': { thread_id: THREAD_ID, run_ids: [RUN_ID] },
  'POST /runs/crons': { ...stateless, schedule: '0 9 * * MON-FRI', timezone: 'Europe/Berlin' },
  'POST /threads/{thread_id}/runs/crons': { ...stateless, schedule: '*/5 * * * *' },
  'POST /runs/crons/search': { enabled: true, limit: 10 },
  'POST /runs/crons/count': { enabled: true },
  'PATCH /runs/crons/{cron_id}': { enabled: false },
  'PUT /store/items': { namespace: ['users', 'ada'], key: 'profile', value: { language: 'en' } },
  'DELETE /store/items': { namespace: ['users', 'ada'], key: 'profile' },
  'POST /store/items/search': { namespace_prefix: ['users'], filter: { language: 'en' } },
  'POST /store/namespaces': { prefix: ['users'], max_depth: 2 },
  'POST /assistants': { graph_id: 'echo', name: 'Support', metadata: { team: 'support' } },
  'PATCH /assistants/{assistant_id}': { name: 'Support, second edition' },
  'POST /assistants/search': { graph_id: 'echo', limit: 10 },
  'POST /assistants/count': { graph_id: 'echo' },
  'POST /assistants/{assistant_id}/versions': { limit: 10 },
  'POST /assistants/{assistant_id}/latest': { version: 1 },
}
