import { isUuid } from '../catalog/facts.ts'
import { Stopped } from './errors.ts'
import type { EventStream } from './event-stream.ts'
import { at, show } from './json.ts'
import { dataOf } from './updates.ts'

/** The id of the run that the `metadata` event of a stream shows. */
export function streamedRunId(stream: EventStream): string {
  const [data] = dataOf(stream.events, 'metadata')
  const id = at(data, 'run_id')
  if (isUuid(id)) return id
  throw new Stopped(`expected a metadata event with a run_id, received ${show(data)}`, stream)
}
