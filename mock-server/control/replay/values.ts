import type { Random } from '../../runtime/random.ts'

/** A UUID in any text. */
export const ID: RegExp = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** A time in ISO 8601 in any text. Python writes times in UTC without an offset, too. */
export const TIME: RegExp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g

/** The ids and times of one replay of a recording. */
export interface ReplayedValues {
  /**
   * Whether a request has the ids of a recorded one, in the same order. An id that the client chose itself matches a recorded
   * one if neither has occurred in this replay.
   */
  matches(recorded: readonly string[], received: readonly string[]): boolean
  /** Remembers the ids of a request that the client chose itself. */
  bind(recorded: readonly string[], received: readonly string[]): void
  /** Whether a response of this replay contained an id. */
  hasSent(id: string): boolean
  /** Returns a recorded text with the ids and times of this replay. It has the same length. */
  toReplayed(text: string): string
  /** Returns a text of the client with the recorded ids. */
  toRecorded(text: string): string
}

/** Options of the ids and times of a replay. */
export interface ReplayedValuesOptions {
  readonly random: Random
  /** Added to the times of the recorded session, in milliseconds. */
  readonly shiftMs: number
  /** The first and the last moment of the recorded session. Other times stay as they are. */
  readonly session: readonly [fromMs: number, toMs: number]
}

/** Creates the ids and times of one replay. */
export function createReplayedValues({ random, shiftMs, session }: ReplayedValuesOptions): ReplayedValues {
  const replayed = new Map<string, string>()
  const recorded = new Map<string, string>()
  const sent = new Set<string>()
  const bind = (recordedId: string, replayedId: string): void => {
    if (replayed.has(recordedId) || recorded.has(replayedId)) return
    replayed.set(recordedId, replayedId)
    recorded.set(replayedId, recordedId)
  }
  const toReplayed = (id: string): string => {
    // UUIDs of versions 3 and 5 are derived from a name, so they are the same on every server.
    if (/^.{14}[35]/.test(id)) return id
    const key = id.toLowerCase()
    let other = replayed.get(key)
    if (other === undefined) {
      // The start stays: in UUIDs of version 7 it is a time, by which clients may sort.
      other = key.slice(0, 24) + Array.from({ length: 12 }, () => Math.floor(random() * 16).toString(16)).join('')
      bind(key, other)
    }
    sent.add(other)
    return other
  }
  const isSame = (recordedId: string, receivedId: string): boolean =>
    recordedId === receivedId ||
    replayed.get(recordedId) === receivedId ||
    // Chosen by the client: neither has occurred.
    !(replayed.has(recordedId) || recorded.has(receivedId))
  return {
    matches: (recordedIds, receivedIds) =>
      recordedIds.length === receivedIds.length &&
      recordedIds.every((id, index) => {
        const other = receivedIds[index] ?? ''
        // Equal ids in the recorded request have to be equal in the received one, too.
        return isSame(id, other) && recordedIds.indexOf(id) === receivedIds.indexOf(other)
      }),
    bind: (recordedIds, receivedIds) => {
      for (const [index, id] of recordedIds.entries()) bind(id, receivedIds[index] ?? '')
    },
    hasSent: (id) => sent.has(id),
    toReplayed: (text) => shiftTimes(text.replaceAll(ID, toReplayed), shiftMs, session),
    toRecorded: (text) => text.replaceAll(ID, (id) => recorded.get(id.toLowerCase()) ?? id),
  }
}

/** Adds milliseconds to the times in a text that are in an interval. Other times stay as they are. */
export function shiftTimes(text: string, ms: number, [from, to]: readonly [number, number]): string {
  return text.replaceAll(TIME, (time) => {
    const instant = instantOf(time)
    return instant >= from && instant <= to ? shiftTime(time, ms) : time
  })
}

function instantOf(time: string): number {
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`)
}

/** Adds whole milliseconds to a time, and keeps its offset and number of digits. */
function shiftTime(time: string, ms: number): string {
  const [, seconds = '', fraction, offset = ''] = /^(.{19})(?:\.(\d+))?(.*)$/.exec(time) ?? []
  const digits = (fraction ?? '').padEnd(3, '0')
  const shifted = new Date(Date.parse(`${seconds}.${digits.slice(0, 3)}Z`) + ms).toISOString()
  const end = fraction === undefined ? '' : `.${(shifted.slice(20, 23) + digits.slice(3)).slice(0, fraction.length)}`
  return shifted.slice(0, 19) + end + offset
}
