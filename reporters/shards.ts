import type { Report } from './model/report.ts'

/** Most missing shards that are named one by one. */
const namedAtMost = 10

/** The shards that a report covers, each as `i/n`; none where it is of a whole run. */
export function shardsOf({ shard }: Report): string[] {
  return shard?.split(', ') ?? []
}

/**
 * Which shards the reports lack to cover what was selected, in a sentence; undefined where none is missing.
 *
 * @example missingShards([{ ...report, shard: '1/3' }]) // 'shards 2/3 and 3/3 are missing'
 */
export function missingShards(reports: readonly Report[]): string | undefined {
  const selections = Map.groupBy(reports, ({ selection }) => selection)
  const lacks = [...selections.values()].map(lackingIn)
  const missing = [...new Set(lacks.flatMap(({ named }) => named))]
  const unnamed = lacks.reduce((sum, { more }) => sum + more, 0)
  const texts = unnamed > 0 ? [...missing, `${unnamed} more`] : missing
  const last = texts.at(-1)
  if (last === undefined) return undefined
  return texts.length === 1
    ? `shard ${last} is missing`
    : `shards ${texts.slice(0, -1).join(', ')} and ${last} are missing`
}

interface Lack {
  named: string[]
  more: number
}

function lackingIn(reports: readonly Report[]): Lack {
  const present = new Set(reports.flatMap(shardsOf).filter(isPart))
  const divisions = [...Map.groupBy(present, countOf)]
  const whole = reports.some(({ shard }) => shard === undefined)
  if (whole || divisions.some(([count, shards]) => shards.length === count)) return { named: [], more: 0 }
  const named: string[] = []
  for (const [count] of divisions) {
    for (let index = 1; index <= count && named.length < namedAtMost; index += 1) {
      if (!present.has(`${index}/${count}`)) named.push(`${index}/${count}`)
    }
  }
  const lacking = divisions.reduce((sum, [count, shards]) => sum + count - shards.length, 0)
  return { named, more: lacking - named.length }
}

function countOf(shard: string): number {
  return Number(shard.split('/')[1])
}

function isPart(shard: string): boolean {
  const index = Number(shard.split('/')[0])
  return index >= 1 && index <= countOf(shard)
}
