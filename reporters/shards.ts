import type { Report } from './model/report.ts'

/** Maximum number of missing shards that are listed. */
const maxListed = 10

/** The shards that a report covers, each as `i/n`; empty for a whole run. */
export function shardsOf({ shard }: Report): string[] {
  return shard?.split(', ') ?? []
}

/**
 * A sentence with the shards that are missing from the reports, or undefined if they are complete.
 *
 * @example missingShards([{ ...report, shard: '1/3' }]) // 'shards 2/3 and 3/3 are missing'
 */
export function missingShards(reports: readonly Report[]): string | undefined {
  const selections = Map.groupBy(reports, ({ selection }) => selection)
  const gaps = [...selections.values()].map(missingIn)
  const listed = [...new Set(gaps.flatMap(({ shards }) => shards))]
  const more = gaps.reduce((sum, gap) => sum + gap.more, 0)
  const texts = more > 0 ? [...listed, `${more} more`] : listed
  const last = texts.at(-1)
  if (last === undefined) return undefined
  return texts.length === 1
    ? `shard ${last} is missing`
    : `shards ${texts.slice(0, -1).join(', ')} and ${last} are missing`
}

/** The missing shards of reports with the same selection: the listed ones, and the number of others. */
function missingIn(reports: readonly Report[]): { shards: string[]; more: number } {
  const present = new Set(reports.flatMap(shardsOf).filter(isValid))
  // A run may have been divided several times, for example in halves and in thirds.
  const divisions = [...Map.groupBy(present, countOf)]
  const hasWholeRun = reports.some(({ shard }) => shard === undefined)
  if (hasWholeRun || divisions.some(([count, shards]) => shards.length === count)) return { shards: [], more: 0 }
  const shards: string[] = []
  for (const [count] of divisions) {
    for (let index = 1; index <= count && shards.length < maxListed; index += 1) {
      if (!present.has(`${index}/${count}`)) shards.push(`${index}/${count}`)
    }
  }
  const total = divisions.reduce((sum, [count, { length }]) => sum + count - length, 0)
  return { shards, more: total - shards.length }
}

function countOf(shard: string): number {
  return Number(shard.split('/')[1])
}

function isValid(shard: string): boolean {
  const index = Number(shard.split('/')[0])
  return index >= 1 && index <= countOf(shard)
}
