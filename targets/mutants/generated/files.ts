import { isObject } from '../../../suites/catalog/facts.ts'
import type { Observation } from '../../../suites/trace/entries.ts'
import { type Call, parquetFile } from './calls.ts'
import type { Mutation } from './mutation.ts'

type Content = NonNullable<Extract<Observation, { type: 'file' }>['content']>

/** Returns the rows of all files as bodies whose fields can be mutated. Values inside a cell are not: a cell is one value. */
export function fileBodies(observations: readonly Observation[]): readonly unknown[] {
  const flat = (row: Content['rows'][number]) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isCell(value) ? value : null]))
  return observations.flatMap((each) =>
    each.type === 'file' && each.content !== undefined ? [{ rows: each.content.rows.map(flat) }] : [],
  )
}

const isCell = (value: unknown): boolean => typeof value !== 'object'

/** Returns what the bucket shows if a mutation changes the files of exports; the same array if it does not. */
export function mutateFiles(observations: readonly Observation[], { operation, start }: Mutation): readonly Observation[] {
  if (operation !== parquetFile) return observations
  const { when, reply } = start()
  const targets: string[] = []
  return observations.map((each) => {
    if (each.type !== 'file' || each.content === undefined) return each
    targets.push(each.key)
    const call: Call = {
      operation,
      target: each.key,
      count: targets.length,
      visit: targets.filter((target) => target === each.key).length,
      isConcurrent: false,
      isStreamed: false,
      isOtherUser: false,
    }
    const text = JSON.stringify({ rows: each.content.rows })
    const { text: changed } = reply?.(jsonReply(text), call, when(call)) ?? { text }
    if (changed === text) return each
    // Without content, the file is not a Parquet file.
    const { content, ...file } = each
    const rows: unknown = changed === '' ? undefined : Object(JSON.parse(changed)).rows
    if (!Array.isArray(rows) || !rows.every(isObject)) return file
    return { ...file, content: withRows(content, rows as Content['rows']) }
  })
}

const jsonReply = (text: string) => ({ status: 200, headers: { 'content-type': 'application/json' }, text })

/** Replaces the rows. A column that no row has any longer is no longer in the file. */
function withRows(content: Content, rows: Content['rows']): Content {
  const isDropped = (name: string) => content.rows.some((row) => name in row) && !rows.some((row) => name in row)
  return {
    ...content,
    columns: content.columns.filter(({ name }) => rows.length === 0 || !isDropped(name)),
    rowGroups: [rows.length],
    rows,
  }
}
