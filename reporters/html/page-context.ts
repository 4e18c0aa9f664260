import type { Exchange, Report, RequirementResult } from '../model/report.ts'
import type { FindReplay } from '../replay/index.ts'
import type { Limits } from './limits.ts'

export interface HtmlOptions {
  /** Returns the replay files of a requirement; without it, none are linked. */
  replay?: FindReplay
  /** Configuration file of the run, for the command that repeats it. */
  config?: string
}

/** Returns the `id` attribute of a requirement in the page, or an empty string if the report does not have it. */
type FindAnchor = (requirementId: string) => string

/** The state of one rendering. */
export interface PageContext extends HtmlOptions {
  report: Report
  limits: Limits
  anchors: FindAnchor
  areas: readonly string[]
  /** Names of all endpoints of the target and of the outcomes. */
  endpoints: readonly string[]
  /** Returns the `id` attribute of an exchange, and whether the exchange is already in the page. */
  exchangeId(exchange: Exchange): { id: string; isRepeated: boolean }
}

export function createContext(report: Report, limits: Limits, options: HtmlOptions): PageContext {
  const exchangeIds = new Map<string, string>()
  const { requirements, target } = report
  return {
    ...options,
    report,
    limits,
    anchors: createAnchors(requirements.map(({ id }) => id)),
    areas: [...new Set(requirements.map(({ area }) => area))],
    endpoints: [...new Set([...target.endpoints.map(({ name }) => name), ...requirements.flatMap(endpointsOf)])],
    exchangeId: (exchange) => {
      const key = JSON.stringify(exchange)
      const known = exchangeIds.get(key)
      if (known !== undefined) return { id: known, isRepeated: true }
      const id = `x${exchangeIds.size + 1}`
      exchangeIds.set(key, id)
      return { id, isRepeated: false }
    },
  }
}

/** The endpoints on which a requirement has outcomes. */
export function endpointsOf({ outcomes }: RequirementResult): string[] {
  return [...new Set(outcomes.map(({ endpoint }) => endpoint))]
}

/** Ids of the page's own elements. */
const reserved =
  /^(?:x\d+|top|main|tested|verdicts|problems|stale|failures|known|warnings|blocked|inconclusive|unspecified|accepted|requirements|search|status|theme|nothing|q)$/

/** Gives each requirement a unique anchor: its own id, if that can be an `id` attribute and part of a URL. */
function createAnchors(requirementIds: readonly string[]): FindAnchor {
  const anchors = new Map<string, string>()
  const used = new Set<string>()
  for (const id of requirementIds) {
    if (anchors.has(id)) continue
    const base = id.replace(/[^\w.-]/g, '-') || 'requirement'
    let anchor = reserved.test(base) ? `${base}.requirement` : base
    for (let n = 2; used.has(anchor); n += 1) anchor = `${base}~${n}`
    used.add(anchor)
    anchors.set(id, anchor)
  }
  return (id) => anchors.get(id) ?? ''
}
