import type { StreamEvent } from '../../reporters/model/report.ts'
import { isObject, isUuid } from '../catalog/facts.ts'
import { Stopped } from './errors.ts'
import type { EventStream } from './event-stream.ts'
import { at, parseJson, show } from './json.ts'

/** Data of all events with a name; undefined for data that is not valid JSON. */
export function dataOf(events: readonly StreamEvent[], name: string): readonly unknown[] {
  return events.filter(({ event }) => event === name).map(({ data }) => parseJson(data))
}

/**
 * Id of the run in the `metadata` event of a stream.
 *
 * @throws Stopped if there is none
 */
export function streamedRunId(stream: EventStream): string {
  const [data] = dataOf(stream.events, 'metadata')
  const id = at(data, 'run_id')
  if (isUuid(id)) return id
  throw new Stopped(`expected a metadata event with a run_id, received ${show(data)}`, stream)
}

/** Update of one node in an `updates` event. */
export interface NodeUpdate {
  readonly node: string
  readonly value: unknown
  /** Time of arrival after the request was sent, in milliseconds. */
  readonly atMs: number
}

/** Updates of all nodes, in order. Keys that begin with two underscores are not nodes. */
export function nodeUpdates(events: readonly StreamEvent[]): readonly NodeUpdate[] {
  return events
    .filter(({ event }) => event === 'updates')
    .flatMap(({ data, atMs }) => {
      const json = parseJson(data)
      const entries = isObject(json) ? Object.entries(json) : []
      return entries.filter(([node]) => !node.startsWith('__')).map(([node, value]) => ({ node, value, atMs }))
    })
}
