import { base } from './base.ts'
import type { ExportContext } from './export-context.ts'

/**
 * The time of the service in milliseconds since the Unix epoch: as its driver tells it, else as its answers are dated,
 * since no two machines agree to the minute.
 */
export async function serviceNow({ driver, exports }: Pick<ExportContext, 'driver' | 'exports'>): Promise<number> {
  if (await driver.offers('now')) return driver.now()
  const { headers } = await exports.http.send({ method: 'GET', path: base })
  const dated = Date.parse(headers['date'] ?? '')
  return Number.isNaN(dated) ? Date.now() : dated
}
