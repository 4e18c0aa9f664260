import type { Report, RequirementResult } from '../model/report.ts'
import type { FindReplay } from '../replay/index.ts'

export interface HtmlOptions {
  /** Returns the replay files of a requirement; without it, none are linked. */
  replay?: FindReplay
  /** Options of the run that describe its target, for the command that repeats it. */
  target?: readonly string[]
}

/** What every part of a page needs. */
export interface PageContext extends HtmlOptions {
  report: Report
  /** Returns the `id` attribute of a requirement in the page, or an empty string if the report does not have it. */
  anchors: (requirementId: string) => string
  areas: readonly string[]
  /** Names of all endpoints of the target and of the outcomes. */
  endpoints: readonly string[]
}

export function createContext(report: Report, options: HtmlOptions): PageContext {
  const { requirements, target } = report
  return {
    ...options,
    report,
    anchors: createAnchors(requirements.map(({ id }) => id)),
    areas: [...new Set(requirements.map(({ area }) => area))],
    endpoints: [...new Set([...target.endpoints.map(({ name }) => name), ...requirements.flatMap(endpointsOf)])],
  }
}

/** The endpoints on which a requirement has outcomes. */
export function endpointsOf({ outcomes }: RequirementResult): string[] {
  return [...new Set(outcomes.map(({ endpoint }) => endpoint))]
}

/** Ids of the page's own elements. */
const reserved =
  /^(?:top|main|tested|verdicts|problems|stale|failures|known|warnings|blocked|inconclusive|specification|unspecified|accepted|replays|requirements|suite|search|status|theme|nothing|q)(?:-h)?$/

/** Gives each requirement a unique anchor: its own id, if that can be an `id` attribute and part of a URL. */
function createAnchors(requirementIds: readonly string[]): PageContext['anchors'] {
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
