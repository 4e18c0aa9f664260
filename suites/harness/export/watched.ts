import type { Inconclusive } from '../errors.ts'
import type { Answer } from '../http.ts'
import type { ExportedFile } from './exported-files.ts'

/** An export that a schedule spawned, with its files. */
export interface Spawned {
  readonly id: string
  /** As the list shows it. */
  readonly listed: unknown
  /** As it is read alone. */
  readonly alone: unknown
  readonly files: readonly ExportedFile[]
  /** The windows, from 1, of which its files hold records; 0 is the time before the first. */
  readonly windows: readonly number[]
  /** That which it exports; undefined where nothing tells. */
  readonly main: number | undefined
  /** Whether it begins, or ends, at another time than that window. */
  readonly startsElsewhere: boolean
  readonly endsElsewhere: boolean
  /** Runs that it exported although the filter of the schedule rejects them. */
  readonly rejected: readonly unknown[]
}

/** A schedule, and what it had spawned by a certain time. */
export interface Watched {
  readonly id: string
  readonly spawned: readonly Spawned[]
  /** Windows that must be exported by then. */
  readonly owed: readonly number[]
  /** The last one that may be. */
  readonly most: number
  /** The columns that it asks for; undefined for all. */
  readonly fields: readonly string[] | undefined
  /** Signs of files that do not stand under the id of a spawned export, and what is counted as one. */
  readonly unexpected: { readonly what: string; readonly found: readonly unknown[] }
}

/** Schedules that were watched together. */
export interface Watching {
  readonly schedules: readonly Watched[]
  /** Exports that came too early, and how that shows; `found` is undefined where nothing tells. */
  readonly early: { readonly what: string; readonly found: readonly unknown[] | undefined }
  /** What a judgement waits for, where not everything can be judged yet or nothing of a kind is to be seen. */
  readonly later: Inconclusive | undefined
  /** Cancels a spawned export alone, then its schedule, and tells what came of it. Once. */
  cancel(): Promise<Cancelled>
}

/** A schedule and what it spawned, cancelled apart from each other. */
export interface Cancelled {
  /** The cancellation of a spawned export by its own id: whether it was accepted, where it had not ended before. */
  readonly alone: { readonly refused: boolean; readonly others: readonly unknown[]; readonly schedule: unknown }
  /** What the two cancellations were answered. */
  readonly answers: { readonly alone: Answer; readonly schedule: Answer }
  /** Statuses of the others after the schedule was cancelled, and its own. */
  readonly statuses: readonly unknown[]
  readonly own: unknown
  /** Exports that a cancelled schedule spawned later, and when that was counted. */
  readonly more: number
  readonly counted: string
}

const hour = 3_600_000
/** Rule 6 of the document: a spawned export runs ten minutes after the end of its window. */
export const delayMs = 600_000

/** Which window of a schedule, counted from 1, a moment lies in; 0 before the first. Milliseconds. */
export function windowAt(ms: number, startMs: number, hours = 1): number {
  return Math.max(0, Math.floor((ms - startMs) / (hours * hour)) + 1)
}

/** When a window ends, in milliseconds; its export runs `delayMs` later. */
export function endMs(window: number, startMs: number, hours = 1): number {
  return startMs + window * hours * hour
}
