import { cell, code } from './markdown-text.ts'

/** A point on which the specification leaves behavior open. */
export interface UnspecifiedPoint {
  readonly id: string
  /** Section of the specification. */
  readonly section: string
  readonly statement: string
}

/** What was observed of one point: one text, or one for each endpoint if they differ. */
export type Observation = string | Readonly<Record<string, string>>

/** An implementation and its observed behavior, by the id of the point. */
export interface Implementation {
  readonly name: string
  readonly observed: Readonly<Record<string, Observation>>
}

/**
 * Renders one table for each section, with a line for each point. With several implementations, those that behave alike
 * share an entry.
 */
export function renderUnspecifiedBehavior(
  points: readonly UnspecifiedPoint[],
  implementations: readonly Implementation[],
): string {
  const sections = Map.groupBy(points, ({ section }) => section)
  const [first, ...others] = implementations
  const only = others.length === 0 ? first : undefined
  const head = only
    ? `| point | ${only.name} |\n| --- | --- |`
    : '|  | point | observed behavior |\n| --- | --- | --- |'
  const tables = [...sections].map(([name, pointsOfSection]) => {
    const rows = pointsOfSection.map((point) =>
      only ? `| ${title(point)} | ${observationText(only.observed[point.id])} |` : comparison(point, implementations),
    )
    return `## ${name}\n\n${head}\n${rows.join('\n')}\n`
  })
  return tables.join('\n')
}

/** Whether all implementations were observed to behave alike. */
export function isAlike({ id }: UnspecifiedPoint, implementations: readonly Implementation[]): boolean {
  return new Set(implementations.map(({ observed }) => observationText(observed[id]))).size === 1
}

function comparison(point: UnspecifiedPoint, implementations: readonly Implementation[]): string {
  const behaviors = Map.groupBy(implementations, ({ observed }) => observationText(observed[point.id]))
  const alike = behaviors.size === 1
  const entries = [...behaviors].map(([text, group]) => {
    const names = alike ? 'all' : group.map(({ name }) => name).join(', ')
    return `**${names}:** ${text}`
  })
  return `| ${alike ? '=' : '≠'} | ${title(point)} | ${entries.join('<br>')} |`
}

function title({ statement, id }: UnspecifiedPoint): string {
  return `${cell(statement)}<br>${code(id)}`
}

function observationText(observation: Observation | undefined): string {
  if (observation === undefined) return 'not observed'
  if (typeof observation === 'string') return codeSpan(observation)
  return Object.entries(observation)
    .map(([endpoint, text]) => `${codeSpan(text)} (${endpoint})`)
    .join(', ')
}

function codeSpan(text: string): string {
  return cell(code(text, 500))
}
