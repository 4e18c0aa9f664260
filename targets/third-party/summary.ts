import type { Report, ReportRow, Verdict } from '../../reporters/model/report.ts'

/** Verdicts that a reader must hear of, beside the expected failures. */
const unsettled: readonly Verdict[] = ['fail', 'flaky', 'harness-error', 'blocked', 'could-not-run']

/** What a run of a peer came to: the sentence, what failed, what was expected to fail and why. */
export function summary(title: string, report: Report, seconds: number): string {
  const lines = [`${title}: ${report.verdict.sentence}`]
  const found = report.requirements.filter(({ verdict, accepted }) => unsettled.includes(verdict) && !accepted)
  lines.push(...found.map((row) => `  ${row.verdict}: ${row.id}${what(row)}`))
  lines.push(...report.staleBaseline.map(({ id, reason }) => `  stale: ${id}: ${reason}`))
  const expected = report.requirements.filter(({ verdict }) => verdict === 'expected-fail')
  lines.push(...expected.map(({ id, reason = '' }) => `  expected: ${id}\n    ${reason}`))
  lines.push(`  ${seconds.toFixed(1)} s with the server's start, ${(report.durationMs / 1000).toFixed(1)} s of checks`)
  return `${lines.join('\n')}\n`
}

function what({ outcomes, verdict }: ReportRow): string {
  const telling = outcomes.find((one) => one.verdict === verdict || (verdict === 'flaky' && one.failure))
  const text = telling?.failure?.received ?? telling?.blockedBy ?? telling?.unlock
  return text === undefined ? '' : `\n    [${telling?.endpoint}] ${text}`
}
