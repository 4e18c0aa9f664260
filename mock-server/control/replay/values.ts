import type { Random } from '../../runtime/random.ts'

/** A UUID in any text. */
export const ID: RegExp = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** A time in ISO 8601 in any text. Python writes times in UTC without an offset, too. */
export const TIME: RegExp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g

/** The ids and times of one replay of a recording. */
export interface ReplayedValues {
  /** Whether the ids of a request are those of a recorded one, in order. Ids that the client chose itself can be. */
  matches(recorded: readonly string[], received: readonly string[]): boolean
  /** Remembers the ids that the client chose itself. */
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
  const bind = (one: string, other: string): void => {
    if (replayed.has(one) || recorded.has(other)) return
    replayed.set(one, other)
    recorded.set(other, one)
  }
  const toReplayed = (id: string): string => {
    // An id that is made from a name is the same on every server.
    if (/^.{14}[35]/.test(id)) return id
    const key = id.toLowerCase()
    let other = replayed.get(key)
    if (other === undefined) {
      // The start of an id may be a time by which clients sort.
      other = key.slice(0, 24) + Array.from({ length: 12 }, () => Math.floor(random() * 16).toString(16)).join('')
      bind(key, other)
    }
    sent.add(other)
    return other
  }
  const isSame = (one: string, other: string): boolean =>
    one === other ||
    replayed.get(one) === other ||
    // Chosen by the client: neither has occurred.
    !(replayed.has(one) || recorded.has(other))
  return {
    matches: (ones, others) =>
      ones.length === others.length &&
      ones.every(
        (one, index) => isSame(one, others[index] ?? '') && ones.indexOf(one) === others.indexOf(others[index] ?? ''),
      ),
    bind: (ones, others) => {
      for (const [index, one] of ones.entries()) bind(one, others[index] ?? '')
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
