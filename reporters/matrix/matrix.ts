import { causes, headline } from '../causes.ts'
import { explain } from '../findings.ts'
import { inSpecOrder } from '../html/spec-order.ts'
import type { Level, Report, RequirementResult } from '../model/report.ts'
import { oneLine, slug } from '../model/text.ts'
import { isAcceptedGap } from '../model/verdict.ts'
import type { VerdictOrAccepted } from '../summary.ts'
import { compareVersions } from './versions.ts'

/** A comparison of the reports of several servers: the content of `matrix.json`. All texts are on one line. */
export interface Matrix {
  version: 1
  /** The versions of one server are next to each other, oldest first. */
  servers: MatrixServer[]
  /** In the order of the specification. */
  requirements: MatrixRequirement[]
}

/** One report. */
export interface MatrixServer {
  /** Unique in the matrix, for anchors: `langgraph-api-0-16-7`. */
  id: string
  name: string
  version?: string
  /** Version of Touchstone. */
  suite: string
  /** ISO 8601. */
  startedAt: string
  sentence: string
  exitCode: Report['verdict']['exitCode']
  /** URL of the HTML report, relative to the page. */
  page?: string
  /** The reader of the page added the report. */
  isOwn?: true
}

/** One requirement with the results of all servers. */
export interface MatrixRequirement {
  id: string
  section: string
  level: Level
  statement: string
  /** In the order of the servers; null if the report does not have the requirement. */
  results: (MatrixResult | null)[]
  /** By server name, the first version that passes after one that does not. */
  firstPassing?: Record<string, string>
}

export interface MatrixResult {
  verdict: VerdictOrAccepted
  /** What was expected and received, what was observed, or why it was not tested. */
  text?: string
}

export const emptyMatrix: Matrix = { version: 1, servers: [], requirements: [] }

/** Adds the report of a server to a matrix. */
export function withReport(matrix: Matrix, report: Report, options: Pick<MatrixServer, 'page' | 'isOwn'> = {}): Matrix {
  const server = { ...serverOf(report, matrix), ...options }
  const index = positionOf(server, matrix.servers)
  const servers = matrix.servers.toSpliced(index, 0, server)
  const families = familiesOf(servers)
  const added = new Map(report.requirements.map((requirement) => [requirement.id, requirement]))
  const rows = matrix.requirements.map((row): MatrixRequirement => {
    const requirement = added.get(row.id)
    added.delete(row.id)
    return { ...row, results: row.results.toSpliced(index, 0, requirement ? resultOf(requirement) : null) }
  })
  for (const requirement of added.values()) {
    const { id, section, level, statement } = requirement
    const results = servers.map((_, column) => (column === index ? resultOf(requirement) : null))
    rows.push({ id, section: oneLine(section), level, statement: oneLine(statement), results })
  }
  const requirements = inSpecOrder(rows).flatMap(([, group]) => group.map((row) => withFirstPassing(row, families)))
  return { version: 1, servers, requirements }
}

/** The name and version of a server: `langgraph-api 0.16.7`. */
export function labelOf({ name, version }: Pick<MatrixServer, 'name' | 'version'>): string {
  return [name, version].filter(Boolean).join(' ')
}

/** Whether the servers that were tested have different verdicts, or behave differently where nothing is specified. */
export function differs({ results }: Pick<MatrixRequirement, 'results'>): boolean {
  const tested = results.filter(isTested)
  return new Set(tested.map(({ verdict, text = '' }) => (verdict === 'observed' ? text : verdict))).size > 1
}

function isTested(result: MatrixResult | null | undefined): result is MatrixResult {
  return result != null && result.verdict !== 'not-applicable' && result.verdict !== 'excluded'
}

function serverOf({ target, suite, startedAt, verdict }: Report, { servers }: Matrix): MatrixServer {
  const name = oneLine(target.name, 80) || 'unnamed'
  const version = target.version === undefined ? {} : { version: oneLine(target.version, 40) }
  const base = slug(labelOf({ name, ...version })) || 'server'
  let id = base
  for (let n = 2; servers.some((server) => server.id === id); n += 1) id = `${base}-${n}`
  return {
    id,
    name,
    ...version,
    suite: oneLine(suite.version, 40),
    startedAt,
    sentence: oneLine(verdict.sentence),
    exitCode: verdict.exitCode,
  }
}

/** A report of the reader comes first, and a version after the older ones of its server. */
function positionOf(server: MatrixServer, servers: readonly MatrixServer[]): number {
  if (server.isOwn) return 0
  const isSame = ({ name, isOwn }: MatrixServer) => name === server.name && !isOwn
  const newer = servers.findIndex((other) => isSame(other) && compareVersions(other.version, server.version) > 0)
  return newer !== -1 ? newer : servers.findLastIndex(isSame) + 1 || servers.length
}

function resultOf(requirement: RequirementResult): MatrixResult {
  const verdict = isAcceptedGap(requirement) ? 'accepted' : requirement.verdict
  const text = verdict === 'pass' ? undefined : textOf(requirement)
  return text === undefined ? { verdict } : { verdict, text }
}

function textOf(requirement: RequirementResult): string | undefined {
  const { verdict, accepted, reason } = requirement
  if (accepted !== true && verdict === 'observed') return observationOf(requirement)
  const isExplained = accepted !== true && causes(requirement).length > 0
  return isExplained ? explain(requirement) : reason && oneLine(reason, 400)
}

/** What was observed: one text, or one for each endpoint if they differ. */
function observationOf(requirement: RequirementResult): string {
  const texts = Map.groupBy(causes(requirement), ({ outcome }) => headline(outcome) ?? 'nothing recorded')
  return [...texts]
    .map(([text, group]) => {
      const endpoints = new Set(group.map(({ outcome }) => oneLine(outcome.endpoint, 80)))
      return texts.size > 1 ? `${[...endpoints].join(', ')}: ${text}` : text
    })
    .join('; ')
}

/** The columns of a server with several versions, oldest first. */
interface Family {
  name: string
  columns: { version: string; index: number }[]
}

function familiesOf(servers: readonly MatrixServer[]): Family[] {
  const columns = servers.flatMap(({ name, version }, index) =>
    version === undefined ? [] : [{ name, version, index }],
  )
  return [...Map.groupBy(columns, ({ name }) => name)]
    .filter(([, group]) => group.length > 1)
    .map(([name, group]) => ({ name, columns: group.toSorted((a, b) => compareVersions(a.version, b.version)) }))
}

function withFirstPassing(row: MatrixRequirement, families: readonly Family[]): MatrixRequirement {
  const { firstPassing: _, ...rest } = row
  const versions = families.flatMap(({ name, columns }) => {
    const tested = columns.filter(({ index }) => isTested(row.results[index]))
    const first = tested.findIndex(({ index }) => row.results[index]?.verdict === 'pass')
    return first > 0 ? [[name, tested[first]?.version ?? '']] : []
  })
  return versions.length === 0 ? rest : { ...rest, firstPassing: Object.fromEntries(versions) }
}
