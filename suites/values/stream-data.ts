import type { StreamEvent } from '../../reporters/model/report.ts'
import { isObject } from '../catalog/facts.ts'
import { parseJson } from './json.ts'

/** Data of all events with a name; undefined for data that is not valid JSON. */
export function dataOf(events: readonly StreamEvent[], name: string): readonly unknown[] {
  return events.filter(({ event }) => event === name).map(({ data }) => parseJson(data))
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
