import type { Report } from './model/report.ts'
import { plural } from './model/text.ts'
import { isAcceptedGap, isFailedMust } from './model/verdict.ts'

const colors = { 0: 'brightgreen', 1: 'red', 2: 'lightgrey', 3: 'yellow' }

/**
 * Renders the JSON of a shields.io endpoint badge: the verdict in a few words, never a percentage.
 *
 * @example renderBadge(report) // { "schemaVersion": 1, "label": "agent service interface", "message": "conformant", … }
 */
export function renderBadge(report: Report): string {
  const badge = {
    schemaVersion: 1,
    label: 'agent service interface',
    message: message(report),
    color: colors[report.verdict.exitCode],
  }
  return `${JSON.stringify(badge, null, 2)}\n`
}

function message(report: Report): string {
  const { requirements, staleBaseline, verdict } = report
  const part = report.selection === undefined && report.shard === undefined ? '' : ' on a part'
  const failed = requirements.filter(isFailedMust).length
  const gaps = requirements.filter(isAcceptedGap).length
  switch (verdict.exitCode) {
    case 0:
      return `conformant${part}${gaps > 0 ? `, ${plural(gaps, 'accepted gap')}` : ''}`
    case 1:
      return failed > 0
        ? plural(failed, 'requirement fails', 'requirements fail')
        : plural(staleBaseline.length, 'stale baseline entry', 'stale baseline entries')
    case 2:
      return 'error'
    case 3:
      return `incomplete${part}`
  }
}
