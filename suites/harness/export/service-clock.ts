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
