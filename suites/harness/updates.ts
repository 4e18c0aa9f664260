import type { StreamEvent } from '../../reporters/model/report.ts'
import { isObject } from '../catalog/facts.ts'
import { parseJson } from './json.ts'

/** What one node changed, as an `updates` event tells it. */
export interface NodeUpdate {
  readonly node: string
  readonly value: unknown
  /** Arrival after the request was sent, in milliseconds. */
  readonly atMs: number
}

/** The data of the events of a name; undefined where it is no JSON. */
export function dataOf(events: readonly StreamEvent[], name: string): readonly unknown[] {
  return events.filter(({ event }) => event === name).map(({ data }) => parseJson(data))
}

/** The updates of all nodes in order; keys that begin with two underscores name no node. */
export function nodeUpdates(events: readonly StreamEvent[]): readonly NodeUpdate[] {
  return events
    .filter(({ event }) => event === 'updates')
    .flatMap(({ data, atMs }) => {
      const json = parseJson(data)
      const entries = isObject(json) ? Object.entries(json) : []
      return entries.filter(([node]) => !node.startsWith('__')).map(([node, value]) => ({ node, value, atMs }))
    })
}
