import type { Verdict } from '../model/report.ts'
import { type Html, html } from './markup.ts'

/** The meaning of each verdict, for the legend. */
export const verdictMeanings: Readonly<Record<Verdict, string>> = {
  fail: 'the target does not meet the requirement',
  flaky: 'passes in some repeats and fails in others',
  error: 'a bug in Touchstone',
  blocked: 'depends on a requirement that fails',
  inconclusive: 'could not be tested',
  warning: 'a requirement below MUST that fails',
  'expected-fail': 'a known failure in the baseline',
  observed: 'unspecified behavior, recorded only',
  pass: 'the target meets the requirement',
  'not-applicable': 'not part of the profiles of the target',
  excluded: 'cannot be tested from outside',
}

/** A verdict as a small colored label. */
export function verdictLabel(verdict: Verdict): Html {
  return html`<span class="v ${verdict}">${verdict}</span>`
}
