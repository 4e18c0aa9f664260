import { Inconclusive } from '../errors.ts'
import type { Answer } from '../http.ts'
import { at, textAt } from '../json.ts'
import type { RunLimits } from '../manifest.ts'
import type { CallerName, LastingNews, LastingSchedule } from './lasting.ts'

/** Who creates or changes an export. */
interface Sender {
  readonly endpoint: string
  readonly caller: CallerName
}

/** Knows what the checks made on a target that lives on by itself, and lets them make no more than the manifest allows. */
export interface Keeper {
  /** Sends the creation of an export; throws Inconclusive where a limit of the run is reached. */
  creation(by: Sender, body: unknown, send: () => Promise<Answer>): Promise<Answer>
  /** Notes that a change of an export was accepted, and which status it asked for. */
  changed(by: Sender, id: string, status: unknown): void
  /** Whether a schedule that was created goes on, as far as its caller's requests tell. */
  lives(by: Sender, id: string): boolean
  /** Notes that a bucket was made in a store that is not ours, or removed. */
  bucket(name: string, made: boolean): void
  /** Lets no further export be created, and resolves when none is being created. */
  stop(): Promise<void>
}

interface KeeperOptions {
  readonly limits?: RunLimits | undefined
  /** Told before something that lives on is made, and of all that becomes of it. */
  readonly tell?: (news: LastingNews) => void
}

/** Creates the keeper of one run. */
export function createKeeper({ limits = {}, tell = () => undefined }: KeeperOptions = {}): Keeper {
  const made = { exports: 0, schedules: 0 }
  const schedules = new Map<string, { lasting: LastingSchedule; lives: boolean }>()
  const underway = new Set<Promise<unknown>>()
  let stopped = false

  const reserve = (what: keyof RunLimits): void => {
    const most = limits[what] ?? Number.POSITIVE_INFINITY
    if (made[what] < most) made[what] += 1
    else throw new Inconclusive(`this run has created ${most} ${what}, as many as it may`, `a higher limits.${what}`)
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
      if (stopped) throw new Inconclusive('the run is being ended', 'a run that is not interrupted')
      const scheduled = (at(body, 'interval_hours') ?? null) !== null
      reserveAll(scheduled)
      const destination = textAt(body, 'bulk_export_destination_id')
      const ordered = { kind: 'schedule', ...by, ...(destination !== undefined && { destination }) } as const
      const key = crypto.randomUUID()
      // Told before it is sent: where the answer is lost, the target may have created it all the same.
      if (scheduled) tell({ key, lasting: ordered })
      const sending = send()
      underway.add(sending)
      const answer = await sending.finally(() => underway.delete(sending))
      const id = textAt(answer.json, 'id')
      // Behind an answer such as 504 the target may have created it.
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
      // Cancelled when launched by an earlier run, it is told as well.
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

/** Under which key news of a schedule come. */
export function keyOf({ endpoint, caller }: Sender, id: string): string {
  return JSON.stringify([endpoint, caller, id])
}
