import { Inconclusive } from '../errors.ts'
import type { Answer } from '../http.ts'
import { at, textAt } from '../json.ts'
import type { RunLimits } from '../manifest.ts'
import type { CallerName, LastingNews, LastingSchedule } from './lasting.ts'

/** Caller that creates or changes an export. */
interface Sender {
  readonly endpoint: string
  readonly caller: CallerName
}

/** Resource tracker: records the leftover resources of a test run and enforces the limits of the configuration. */
export interface Keeper {
  /**
   * Sends the creation of an export.
   *
   * @throws Inconclusive if the test run has reached a limit
   */
  creation(by: Sender, body: unknown, send: () => Promise<Answer>): Promise<Answer>
  /** Records that the target accepted a change of an export, with the requested status. */
  changed(by: Sender, id: string, status: unknown): void
  /** Whether a scheduled export is still active, as far as its caller's requests show. */
  lives(by: Sender, id: string): boolean
  /** Records that a bucket was created in an external store, or removed from it. */
  bucket(name: string, made: boolean): void
  /** Rejects further creations; resolves when no creation is in progress. */
  stop(): Promise<void>
}

interface KeeperOptions {
  readonly limits?: RunLimits | undefined
  /** Called before a leftover resource is created, and whenever its state changes. */
  readonly tell?: (news: LastingNews) => void
}

/** Creates the resource tracker of one test run. */
export function createKeeper({ limits = {}, tell = () => undefined }: KeeperOptions = {}): Keeper {
  const made = { exports: 0, schedules: 0 }
  const schedules = new Map<string, { lasting: LastingSchedule; lives: boolean }>()
  const underway = new Set<Promise<unknown>>()
  let stopped = false

  const reserve = (what: keyof RunLimits): void => {
    const most = limits[what] ?? Number.POSITIVE_INFINITY
    if (made[what] < most) made[what] += 1
    else
      throw new Inconclusive(
        `this test run has created ${most} ${what}, the maximum in limits.${what}`,
        `increase limits.${what}`,
      )
  }
  const reserveAll = (scheduled: boolean): void => {
    reserve('exports')
    if (!scheduled) return
    try {
      reserve('schedules')
    } catch (error) {
      made.exports -= 1
      throw error
    }
  }
  const release = (scheduled: boolean): void => {
    made.exports -= 1
    if (scheduled) made.schedules -= 1
  }

  return {
    async creation(by, body, send) {
      if (stopped) throw new Inconclusive('the test run is being stopped', 'start the test run again')
      const scheduled = (at(body, 'interval_hours') ?? null) !== null
      reserveAll(scheduled)
      const destination = textAt(body, 'bulk_export_destination_id')
      const ordered = { kind: 'schedule', ...by, ...(destination !== undefined && { destination }) } as const
      const key = crypto.randomUUID()
      // Recorded before it is sent: if the response is lost, the target may have created the export.
      if (scheduled) tell({ key, lasting: ordered })
      const sending = send()
      underway.add(sending)
      const answer = await sending.finally(() => underway.delete(sending))
      const id = textAt(answer.json, 'id')
      // After a response such as 504, the target may have created the export.
      if (answer.status >= 300 && answer.status < 500) {
        release(scheduled)
        if (scheduled) tell({ key, lasting: undefined })
      } else if (scheduled && id !== undefined) {
        const lasting = { ...ordered, id }
        tell({ key: keyOf(by, id), lasting })
        tell({ key, lasting: undefined })
        schedules.set(keyOf(by, id), { lasting, lives: true })
      }
      return answer
    },
    changed(by, id, status) {
      const key = keyOf(by, id)
      const known = schedules.get(key)
      // An export that an earlier run started is also reported when it is cancelled.
      const lives = status !== 'Cancelled'
      if (known) known.lives = lives
      tell({ key, lasting: lives ? known?.lasting : undefined })
    },
    lives: (by, id) => schedules.get(keyOf(by, id))?.lives ?? false,
    bucket: (name, there) => tell({ key: name, lasting: there ? { kind: 'bucket', name } : undefined }),
    async stop() {
      stopped = true
      await Promise.allSettled(underway)
    },
  }
}

/** Returns the key of a scheduled export in news about leftover resources. */
export function keyOf({ endpoint, caller }: Sender, id: string): string {
  return JSON.stringify([endpoint, caller, id])
}
