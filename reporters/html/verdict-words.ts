import type { Verdict } from '../model/report.ts'
import { type Html, html } from './markup.ts'

/** What each verdict means, in a few words for the legend. */
export const meanings: Readonly<Record<Verdict, string>> = {
  fail: 'a check saw the target do something else',
  flaky: 'held at times and at times not',
  error: 'a fault of the suite, not of the target',
  blocked: 'a requirement that it needs does not hold',
  inconclusive: 'a setting is missing',
  warning: 'advised, not met',
  'expected-fail': 'a known failure, in the baseline',
  observed: 'left open by the document: noted, not judged',
  pass: 'holds',
  'not-applicable': 'the target does not profile it',
  excluded: 'cannot be seen from outside',
}

/** The verdict as a small label: a mark, a word and a color. */
export function chip(verdict: Verdict): Html {
  return html`<span class="v ${verdict}">${verdict}</span>`
}
