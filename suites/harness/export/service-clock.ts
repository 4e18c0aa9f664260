import { Inconclusive } from '../errors.ts'
import type { ExportContext } from './export-context.ts'
import { listOf } from './lists.ts'
import { exportsPath } from './paths.ts'
import { nestedFields } from './record-fields.ts'
import { timeOf } from './times.ts'

/**
 * The time of the service in milliseconds since the Unix epoch: as its driver tells it, else as its responses are dated,
 * since no two machines agree to the minute. Where a driver moves the clock and does not tell it, the latest creation of
 * an export counts, too: a guess that decides nothing.
 */
export async function serviceNow({ driver, exports }: Pick<ExportContext, 'driver' | 'exports'>): Promise<number> {
  if (await driver.offers('now')) return driver.now()
  const { headers, json } = await exports.http.send({ method: 'GET', path: exportsPath })
  const dated = Date.parse(headers['date'] ?? '')
  const now = Number.isNaN(dated) ? Date.now() : dated
  return (await driver.offers('advanceClock')) ? Math.max(now, ...(listOf(json) ?? []).flatMap(creationsIn)) : now
}

function creationsIn(one: unknown): readonly number[] {
  return nestedFields(one).flatMap(({ path, value }) => (/creat/i.test(path) ? (timeOf(value) ?? []) : []))
}

/** Throws Inconclusive where a driver moves the clock of the service and does not read it: no time can be tested. */
export async function checkClockReadable({
  driver,
  session,
}: Pick<ExportContext, 'driver' | 'session'>): Promise<void> {
  if ((await driver.offers('now')) || !(await driver.offers('advanceClock'))) return
  throw new Inconclusive(
    'the driver moves the clock of the service but has no now',
    `add now (over HTTP: GET clock) to the driver in endpoints.${session.endpointName}.export.driver`,
  )
}
