import { Inconclusive } from '../errors.ts'
import type { ExportContext } from './export-context.ts'
import { checkTold } from './service-clock.ts'

/** The clock of the service, which a scene moves on and nobody else may. */
interface MovedClock {
  /** What it showed when the scene began, in milliseconds since the Unix epoch. */
  readonly beganMs: number
  /** Moves it on, in milliseconds. */
  advance(ms: number): Promise<void>
  /** Throws Inconclusive where it stands later than the scene has moved it. */
  check(): Promise<void>
}

/** Far less than anything that a scene waits for, in milliseconds. */
const slackMs = 20_000

/** Takes the clock of the service for a scene; throws Inconclusive where the driver does not tell what it shows. */
export async function movedClock({ driver, session }: Pick<ExportContext, 'driver' | 'session'>): Promise<MovedClock> {
  await checkTold({ driver, session })
  const beganMs = await driver.now()
  const began = performance.now()
  let movedMs = 0
  return {
    beganMs,
    async advance(ms) {
      movedMs += ms
      await driver.advanceClock(ms)
    },
    async check() {
      const aheadMs = (await driver.now()) - beganMs - movedMs - (performance.now() - began)
      if (aheadMs <= slackMs) return
      throw new Inconclusive(
        `another client moved the clock of the service ahead by ${Math.round(aheadMs / 1000)} s during the test`,
        'run the suite while no other client, such as another test run, moves the clock',
      )
    },
  }
}
