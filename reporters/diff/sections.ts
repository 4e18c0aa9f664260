import { oneLine, plural } from '../model/text.ts'
import type { Change, ReportDiff, Standing } from './compare.ts'

/** A list of changes with a title. */
export interface DiffSection {
  title: string
  changes: readonly Change[]
}

/** The sections of a comparison that are not empty, most important first. */
export function sections(diff: ReportDiff): DiffSection[] {
  return [
    { title: 'Broke', changes: diff.broke },
    { title: 'Fixed', changes: diff.fixed },
    { title: 'New requirements', changes: diff.newChecks },
    { title: 'Removed requirements', changes: diff.retired },
    { title: 'Other changes', changes: diff.changed },
    { title: 'Only in the later report, which tested more', changes: diff.onlyAfter },
    { title: 'Only in the earlier report, which tested more', changes: diff.onlyBefore },
  ].filter(({ changes }) => changes.length > 0)
}

/** Summarizes a comparison in one sentence. */
export function headline(diff: ReportDiff): string {
  const { broke, fixed, newChecks, retired, changed, onlyBefore, onlyAfter, unchanged, stillFailing } = diff
  const inOneReport = onlyBefore.length + onlyAfter.length
  const parts = [
    broke.length > 0 ? `${plural(broke.length, 'requirement')} broke` : 'nothing broke',
    fixed.length > 0 ? `${fixed.length} fixed` : 'nothing was fixed',
    newChecks.length > 0 && plural(newChecks.length, 'new requirement'),
    retired.length > 0 && plural(retired.length, 'removed requirement'),
    changed.length > 0 && plural(changed.length, 'other change'),
    inOneReport > 0 && `${inOneReport} in one report only`,
    `${unchanged} unchanged${stillFailing.length > 0 ? ` (${stillFailing.length} of them still ${stillFailing.length === 1 ? 'fails' : 'fail'})` : ''}`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

/** Describes the change of a verdict: `pass → fail (MUST) on open`. */
export function transition({ before, after, endpoints, reworded }: Change): string {
  const levels = [...new Set([before?.level, after?.level].filter((level) => level !== undefined))].join(' → ')
  const verdicts = [before?.verdict, after?.verdict].filter((verdict) => verdict !== undefined)
  const path = verdicts[0] === verdicts[1] ? verdicts[0] : verdicts.join(' → ')
  const where = endpoints === undefined ? '' : ` on ${endpoints.map((name) => oneLine(name, 80)).join(', ')}`
  return `${path} (${levels})${where}${reworded ? ', the requirement was reworded' : ''}`
}

/** The reasons to show for a change: that of the failing side, or both if only the reason changed. */
export function explanations({ before, after }: Change): { label: string; text: string }[] {
  const reason = (label: string, standing: Standing | undefined) =>
    standing?.why === undefined ? [] : [{ label, text: standing.why }]
  if (before === undefined || after === undefined) return reason('', after ?? before)
  if (before.verdict === after.verdict) return [...reason('was', before), ...reason('now', after)]
  return after.why === undefined ? reason('was', before) : reason('now', after)
}
