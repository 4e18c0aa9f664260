import type { Exchange, Report, RequirementResult } from '../model/report.ts'
import type { ReplayOf } from '../replay/index.ts'
import { type Anchors, createAnchors } from './anchors.ts'
import type { Depth } from './depth.ts'

export interface HtmlOptions {
  /** Tells where a row's replay lies; such rows link to it. @default none */
  replay?: ReplayOf
}

/** What every part of one page needs to know. */
export interface PageContext extends HtmlOptions {
  report: Report
  depth: Depth
  anchors: Anchors
  areas: readonly string[]
  /** Names of all endpoints, from the target and from the outcomes. */
  endpoints: readonly string[]
  /** The id of an exchange in the page, and whether it was asked for before. */
  once(exchange: Exchange): { id: string; again: boolean }
}

/** A context for one rendering: it remembers what has been shown. */
export function createContext(report: Report, depth: Depth, options: HtmlOptions): PageContext {
  const shown = new Map<string, string>()
  const { requirements, target } = report
  return {
    ...options,
    report,
    depth,
    anchors: createAnchors(requirements.map((row) => row.id)),
    areas: [...new Set(requirements.map(({ area }) => area))],
    endpoints: [...new Set([...target.endpoints.map(({ name }) => name), ...requirements.flatMap(endpointsOf)])],
    once: (exchange) => {
      const key = JSON.stringify(exchange)
      const known = shown.get(key)
      if (known !== undefined) return { id: known, again: true }
      const id = `x${shown.size + 1}`
      shown.set(key, id)
      return { id, again: false }
    },
  }
}

/** The endpoints on which a row has outcomes. */
export function endpointsOf(row: RequirementResult): string[] {
  return [...new Set(row.outcomes.map(({ endpoint }) => endpoint))]
}
