import { plainValues } from '../../graphs/values.ts'
import type { Dialect } from '../dialect.ts'
import type { Thread } from '../records.ts'
import type { JsonObject } from '../schemas/fields.ts'

/** A record as an answer shows it. */
export type Presenter<Record> = (record: Record, dialect: Dialect) => JsonObject

/** Section of the document: Thread. */
export const presentThread: Presenter<Thread> = (thread, { timestamp }) => ({
  thread_id: thread.thread_id,
  created_at: timestamp(thread.created_at),
  updated_at: timestamp(thread.updated_at),
  metadata: thread.metadata,
  status: thread.status,
  config: thread.config,
  values: thread.values === null ? null : plainValues(thread.values),
})
