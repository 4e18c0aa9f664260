import type { Session } from '../session.ts'
import { iso } from './moments.ts'
import type { Stage } from './play.ts'
import { type Readable, seeded } from './seeded.ts'
import { serviceNow } from './service-clock.ts'

/** What the whole export covers: seeded records, or what the project holds in the declared window. */
export interface Material {
  /** ISO 8601. */
  readonly start: string
  readonly end: string
  /** The same in milliseconds since the Unix epoch. */
  readonly startMs: number
  readonly endMs: number
  /** Undefined where no driver seeds records. */
  readonly seeded: Readable | undefined
}

const hour = 3_600_000

/** What there is to export; the same whenever it is asked for. */
export function material(stage: Stage): Promise<Material> {
  const { session, driver, declared } = stage
  return session.once('material', async () => {
    if (await driver.offers('seedRuns')) {
      const found = await seeded(stage)
      const { startMs, endMs } = found
      return { start: iso(startMs), end: iso(endMs), startMs, endMs, seeded: found }
    }
    const { startMs, endMs } = declaredWindow(declared.window, await serviceNow(stage))
    return { start: iso(startMs), end: iso(endMs), startMs, endMs, seeded: undefined }
  })
}

/** Without a declaration three days that ended an hour ago: the runs of the last hour may still change. */
function declaredWindow(declared: { readonly start: string; readonly end: string } | undefined, now: number) {
  if (declared) return { startMs: Date.parse(declared.start), endMs: Date.parse(declared.end) }
  return { startMs: now - 73 * hour, endMs: now - hour }
}

/** The setting that names a window which has what a check needs, or a driver that puts it there. */
export function unlockedBy(session: Session, what: string): string {
  return `set endpoints.${session.endpointName}.export.window (or --window START/END) to ${what}, or ${unlockedBySeeds(session)}`
}

/** The setting that lets runs be known that only a driver knows. */
export function unlockedBySeeds({ endpointName }: Session): string {
  return `set endpoints.${endpointName}.export.driver to a driver with seedRuns`
}
