import { z } from 'zod'
import { queryList, uuid } from '../../http/fields.ts'
import { STREAM_MODES } from './fields.ts'
import type { RunCreate } from './requests.ts'

// Requests of the public API for runs that the specification does not mention.

const CANCEL_ACTIONS = ['interrupt', 'rollback'] as const

const action = z.enum(CANCEL_ACTIONS).default('interrupt')

/** Query of `POST …/cancel`. */
export const runCancel = z.object({
  action,
  wait: z
    .enum(['0', '1', 'true', 'false'])
    .default('0')
    .transform((text) => text === '1' || text === 'true')
    .meta({ override: { type: 'string', enum: ['0', '1', 'true', 'false'], default: '0' } }),
})
export type RunCancel = z.output<typeof runCancel>

/** Query of `POST /runs/cancel`. */
export const cancelAction = z.object({ action })

/** Body of `POST /runs/cancel`: some runs of a thread, or all that have a status. */
export const runsCancel = z
  .object({
    thread_id: uuid.nullish(),
    run_ids: z.array(uuid).nullish(),
    status: z.enum(['pending', 'running', 'all']).nullish(),
  })
  .refine(({ thread_id, run_ids, status }) => (status == null ? thread_id != null && run_ids != null : true), {
    error: 'expected status, or thread_id and run_ids',
  })
export type RunsCancel = z.output<typeof runsCancel>

const THREAD_STREAM_MODES = ['run_modes', 'lifecycle', 'state_update'] as const
export type ThreadStreamMode = (typeof THREAD_STREAM_MODES)[number]

const threadStreamModes = queryList(THREAD_STREAM_MODES)

/** Query of `GET /threads/{thread_id}/stream`. The SDKs and the public Python server name the parameter differently. */
export const threadStream = z.object({
  stream_mode: threadStreamModes,
  stream_modes: threadStreamModes,
})

/** Query of `GET …/runs/{run_id}/stream`. */
export const runStream = z.object({ stream_mode: queryList(STREAM_MODES) })

const LARGEST_BATCH = 1000

/** Body of `POST /runs/batch`. */
export function runBatch(runCreate: z.ZodType<RunCreate>): z.ZodType<RunCreate[]> {
  return z.array(runCreate).max(LARGEST_BATCH)
}

/** Query of `GET …/join`. */
export const runJoin = z.object({ cancel_on_disconnect: z.string().optional() })
