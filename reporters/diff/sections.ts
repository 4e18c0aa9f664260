import { oneLine, plural } from '../model/text.ts'
import type { Change, ReportDiff, Standing } from './compare.ts'

/** A list of changes under its title, in the order in which a reader acts on them. */
export interface DiffSection {
  title: string
  changes: readonly Change[]
}

/** The sections of a comparison that are not empty. */
export function sections(diff: ReportDiff): DiffSection[] {
  return [
    { title: 'Broke', changes: diff.broke },
    { title: 'Fixed', changes: diff.fixed },
    { title: 'New checks', changes: diff.newChecks },
    { title: 'Retired checks', changes: diff.retired },
    { title: 'Changed otherwise', changes: diff.changed },
    { title: 'Only in the later report, which judged more', changes: diff.onlyAfter },
    { title: 'Only in the earlier report, which judged more', changes: diff.onlyBefore },
  ].filter(({ changes }) => changes.length > 0)
}

/** A comparison in one sentence. */
export function headline(diff: ReportDiff): string {
  const { broke, fixed, newChecks, retired, changed, onlyBefore, onlyAfter, unchanged, stillFailing } = diff
  const alone = onlyBefore.length + onlyAfter.length
  const parts = [
    broke.length > 0 ? `${plural(broke.length, 'requirement')} broke` : 'nothing broke',
    fixed.length > 0 ? `${fixed.length} fixed` : 'nothing was fixed',
    newChecks.length > 0 && plural(newChecks.length, 'new check'),
    retired.length > 0 && plural(retired.length, 'retired check'),
    changed.length > 0 && `${changed.length} changed otherwise`,
    alone > 0 && `${alone} in one report only`,
    `${unchanged} unchanged${stillFailing.length > 0 ? ` (${stillFailing.length} of them still ${stillFailing.length === 1 ? 'fails' : 'fail'})` : ''}`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

/** The way from one verdict to the other, such as `pass → fail (MUST) on open`. */
export function way({ before, after, endpoints, reworded }: Change): string {
  const levels = [...new Set([before?.level, after?.level].filter((level) => level !== undefined))].join(' → ')
  const verdicts = [before?.verdict, after?.verdict].filter((verdict) => verdict !== undefined)
  const path = verdicts[0] === verdicts[1] ? verdicts[0] : verdicts.join(' → ')
  const where = endpoints === undefined ? '' : ` on ${endpoints.map((name) => oneLine(name, 80)).join(', ')}`
  return `${path} (${levels})${where}${reworded ? ', the requirement is worded differently' : ''}`
}

/** What explains a change: the texts of the side that does not simply hold, of both where only the text changed. */
export function explained({ before, after }: Change): { label: string; text: string }[] {
  const told = (label: string, side: Standing | undefined) =>
    side?.why === undefined ? [] : [{ label, text: side.why }]
  if (before === undefined || after === undefined) return told('', after ?? before)
  if (before.verdict === after.verdict) return [...told('was', before), ...told('now', after)]
  return after.why === undefined ? told('was', before) : told('now', after)
}
