import { code } from './markdown-text.ts'

/** A point that the document leaves open. */
export interface OpenPoint {
  readonly id: string
  /** Section of the document. */
  readonly section: string
  readonly statement: string
}

/** What was observed of one point: one text, or one an endpoint where they differ. */
export type Observation = string | Readonly<Record<string, string>>

/** An implementation and what it was observed to do, by the id of the point. */
export interface Implementation {
  readonly name: string
  readonly observed: Readonly<Record<string, Observation>>
}

/**
 * The points of the ledger of silence, one table a section: who does what, and where all do the same; of one
 * implementation alone, what it does.
 */
export function renderLedger(points: readonly OpenPoint[], implementations: readonly Implementation[]): string {
  const sections = Map.groupBy(points, ({ section }) => section)
  const [only, ...others] = implementations
  const isAlone = only !== undefined && others.length === 0
  const head = isAlone
    ? `| open point | ${only.name} |\n| --- | --- |`
    : '|  | open point | what was observed |\n| --- | --- | --- |'
  const tables = [...sections].map(([name, of]) => {
    const rows = of.map((point) =>
      isAlone ? `| ${named(point)} | ${told(only.observed[point.id])} |` : row(point, implementations),
    )
    return `## ${name}\n\n${head}\n${rows.join('\n')}\n`
  })
  return tables.join('\n')
}

/** Whether all implementations were observed to do the same. */
export function isAlike({ id }: OpenPoint, implementations: readonly Implementation[]): boolean {
  return new Set(implementations.map(({ observed }) => told(observed[id]))).size === 1
}

function row(point: OpenPoint, implementations: readonly Implementation[]): string {
  const ways = Map.groupBy(implementations, ({ observed }) => told(observed[point.id]))
  const isOneWay = ways.size === 1
  const seen = [...ways].map(([text, who]) => {
    const names = isOneWay ? 'all' : who.map(({ name }) => name).join(', ')
    return `**${names}:** ${text}`
  })
  return `| ${isOneWay ? '=' : '≠'} | ${named(point)} | ${seen.join('<br>')} |`
}

function named({ statement, id }: OpenPoint): string {
  return `${bars(statement)}<br>${code(id)}`
}

function told(observation: Observation | undefined): string {
  if (observation === undefined) return 'not observed'
  if (typeof observation === 'string') return span(observation)
  return Object.entries(observation)
    .map(([endpoint, text]) => `${span(text)} (${endpoint})`)
    .join(', ')
}

function span(text: string): string {
  return bars(code(text, 500))
}

/** A bar would end the cell of a table, even in code. */
function bars(text: string): string {
  return text.replaceAll('|', '\\|')
}
