import { isScheduleRequest } from '../../values/export/windows.ts'
import { textAt } from '../../values/json.ts'
import { Inconclusive } from '../errors.ts'
import type { ApiResponse } from '../http.ts'
import type { RunLimits } from '../manifest.ts'
import type { CallerName, Leftover, LeftoverSchedule } from './leftovers.ts'

/** Caller that creates or changes an export. */
interface Sender {
  readonly endpoint: string
  readonly caller: CallerName
}

/** Resource tracker: records the leftover resources of a test run and enforces the limits of the configuration. */
export interface ResourceTracker {
  /**
   * Sends the creation of an export.
   *
   * @throws Inconclusive if the test run has reached a limit
   */
  creation(by: Sender, body: unknown, send: () => Promise<ApiResponse>): Promise<ApiResponse>
  /** Records that the target accepted a change of an export, with the requested status. */
  changed(by: Sender, id: string, status: unknown): void
  /** Whether a scheduled export is still active, as far as its caller's requests show. */
  isActive(by: Sender, id: string): boolean
  /**
   * Sends the creation of a bucket in an external store.
   *
   * @throws Inconclusive if creations are rejected
   */
  bucketCreation(name: string, send: () => Promise<void>): Promise<void>
  /** Records that a bucket is not in an external store: it was removed or not created. */
  bucketRemoved(name: string): void
  /** The leftover resources. */
  leftovers(): readonly Leftover[]
  /** Whether the target accepted the cancellation of a scheduled export, also of one that an earlier test run created. */
  hasEnded(by: Sender, id: string): boolean
  /** Rejects further creations; resolves when no creation is in progress. */
  stop(): Promise<void>
}

interface ResourceTrackerOptions {
  readonly limits?: RunLimits | undefined
  /** Called with the leftover resources before one is created, and whenever they change. */
  readonly onChange?: (leftovers: readonly Leftover[]) => void
}

/** Creates the resource tracker of one test run. */
export function createResourceTracker({ limits = {}, onChange }: ResourceTrackerOptions = {}): ResourceTracker {
  const created = { exports: 0, schedules: 0 }
  const leftovers = new Map<string, Leftover>()
  const ended = new Set<string>()
  const schedules = new Map<string, { schedule: LeftoverSchedule; isActive: boolean }>()
  const pending = new Set<Promise<unknown>>()
  let stopped = false

  const add = (key: string, leftover: Leftover): void => {
    ended.delete(key)
    if (leftovers.get(key) === leftover) return
    leftovers.set(key, leftover)
    onChange?.([...leftovers.values()])
  }
  const remove = (key: string): void => {
    ended.add(key)
    if (leftovers.delete(key)) onChange?.([...leftovers.values()])
  }
  const rejectIfStopped = (): void => {
    if (stopped) throw new Inconclusive('the test run is being stopped', 'start the test run again')
  }
  const pend = <T>(creation: Promise<T>): Promise<T> => {
    pending.add(creation)
    return creation.finally(() => pending.delete(creation))
  }
  const reserve = (kinds: readonly (keyof RunLimits)[]): void => {
    for (const kind of kinds) {
      const limit = limits[kind] ?? Number.POSITIVE_INFINITY
      if (created[kind] < limit) continue
      const message = `this test run has created ${limit} ${kind}, the maximum in limits.${kind}`
      throw new Inconclusive(message, `increase limits.${kind}`)
    }
    for (const kind of kinds) created[kind] += 1
  }

  return {
    async creation(by, body, send) {
      rejectIfStopped()
      const isScheduled = isScheduleRequest(body)
      const kinds = isScheduled ? (['exports', 'schedules'] as const) : (['exports'] as const)
      reserve(kinds)
      const destination = textAt(body, 'bulk_export_destination_id')
      const requested = { kind: 'schedule', ...by, ...(destination !== undefined && { destination }) } as const
      const key = crypto.randomUUID()
      // Recorded before it is sent: if the response is lost, the target may have created the export.
      if (isScheduled) add(key, requested)
      const response = await pend(send())
      const id = textAt(response.json, 'id')
      // After a response such as 504, the target may have created the export.
      if (response.status >= 300 && response.status < 500) {
        for (const kind of kinds) created[kind] -= 1
        if (isScheduled) remove(key)
      } else if (isScheduled && id !== undefined) {
        const schedule = { ...requested, id }
        leftovers.delete(key)
        add(keyOf(by, id), schedule)
        schedules.set(keyOf(by, id), { schedule, isActive: true })
      }
      return response
    },
    changed(by, id, status) {
      const key = keyOf(by, id)
      const known = schedules.get(key)
      // Also records the cancellation of an export that an earlier test run created.
      const isActive = status !== 'Cancelled'
      if (known) known.isActive = isActive
      if (isActive && known) add(key, known.schedule)
      else remove(key)
    },
    isActive: (by, id) => schedules.get(keyOf(by, id))?.isActive ?? false,
    async bucketCreation(name, send) {
      rejectIfStopped()
      add(name, { kind: 'bucket', name })
      await pend(send())
    },
    bucketRemoved: remove,
    leftovers: () => [...leftovers.values()],
    hasEnded: (by, id) => ended.has(keyOf(by, id)),
    async stop() {
      stopped = true
      await Promise.allSettled(pending)
    },
  }
}

function keyOf({ endpoint, caller }: Sender, id: string): string {
  return JSON.stringify([endpoint, caller, id])
}
