import { listOf } from '../../values/export/lists.ts'
import { nestedFields } from '../../values/export/record-fields.ts'
import { timeOf } from '../../values/export/times.ts'
import { Inconclusive } from '../errors.ts'
import type { ExportContext } from './export-context.ts'
import { exportsPath } from './paths.ts'

/**
 * Returns the time of the service in milliseconds since the Unix epoch: from the driver, else from the `Date` header of a
 * response, because clocks of two machines may differ by minutes. If the driver moves the clock and cannot read it, the
 * latest creation time of an export is an estimate, which no rule uses.
 */
export async function serviceNow({ driver, exports }: Pick<ExportContext, 'driver' | 'exports'>): Promise<number> {
  if (await driver.offers('now')) return driver.now()
  const { headers, json } = await exports.http.send({ method: 'GET', path: exportsPath })
  const now = timeOf(headers['date']) ?? Date.now()
  return (await driver.offers('advanceClock')) ? Math.max(now, ...(listOf(json) ?? []).flatMap(creationTimes)) : now
}

function creationTimes(record: unknown): readonly number[] {
  return nestedFields(record).flatMap(({ path, value }) => (/creat/i.test(path) ? (timeOf(value) ?? []) : []))
}

/**
 * Checks that the clock of the service can be read, which requirements about times need.
 *
 * @throws Inconclusive if the driver moves the clock and cannot read it
 */
export async function checkClockReadable({ driver, session }: ExportContext): Promise<void> {
  if ((await driver.offers('now')) || !(await driver.offers('advanceClock'))) return
  throw new Inconclusive(
    'the driver moves the clock of the service but has no now',
    `add now (over HTTP: GET clock) to the driver in endpoints.${session.endpointName}.export.driver`,
  )
}

/** Tolerance for the speed of clocks, in milliseconds: far less than any step of the driver. */
const slackMs = 20_000

/**
 * Returns the clock of the service for a scenario that moves it.
 *
 * @throws Inconclusive if the driver cannot seed runs, move the clock and read it
 */
export async function movableClock(context: ExportContext) {
  const { driver, session } = context
  if (!(await driver.offers('seedRuns')) || !(await driver.offers('advanceClock')))
    throw new Inconclusive(
      'the target has no driver that seeds runs and moves the clock',
      `set endpoints.${session.endpointName}.export.driver to a driver with seedRuns and advanceClock, or run --phase start and, hours later, --phase verify`,
    )
  await checkClockReadable(context)
  const [startedMs, startedAt] = [await driver.now(), performance.now()]
  let movedMs = 0
  return {
    startedMs,
    /** Moves the clock to a time. It also advances by itself: it is read each time before it is moved. */
    async advanceTo(ms: number): Promise<void> {
      const leftMs = Math.floor(ms - (await driver.now()))
      if (leftMs <= 0) return
      movedMs += leftMs
      await driver.advanceClock(leftMs)
    },
    /** @throws Inconclusive if another client has moved the clock, too */
    async checkAlone(): Promise<void> {
      const aheadMs = (await driver.now()) - startedMs - movedMs - (performance.now() - startedAt)
      if (aheadMs <= slackMs) return
      throw new Inconclusive(
        `another client moved the clock of the service ahead by ${Math.round(aheadMs / 1000)} s during the test`,
        'run the suite while no other client, such as another test run, moves the clock',
      )
    },
  }
}
