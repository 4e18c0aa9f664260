import { uuid } from '../catalog/facts.ts'
import { Blocked } from './errors.ts'
import type { EventStream } from './event-stream.ts'
import { at, show } from './json.ts'
import { dataOf } from './updates.ts'

/** The id of the run that a stream's `metadata` event tells; where it tells none, the row of that field says so. */
export function streamedRunId(stream: EventStream): string {
  const [data] = dataOf(stream.events, 'metadata')
  if (data === undefined) throw new Blocked('stream.metadata.sent', 'the stream has no metadata event')
  const id = at(data, 'run_id')
  if (typeof id !== 'string') {
    throw new Blocked(`stream.metadata.run_id.${id === undefined ? 'present' : 'type'}`, `run_id is ${show(id)}`)
  }
  if (uuid().problem(id, { label: 'run_id', value: id })) throw new Blocked('stream.metadata.run_id.uuid', id)
  return id
}
