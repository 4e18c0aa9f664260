import { shortenIds } from '../../pages/short-ids.ts'
import type { Report, Verdict } from '../model/report.ts'
import { clip } from '../model/text.ts'
import type { VerdictOrAccepted } from '../summary.ts'
import { contentOf, type Html, html } from './markup.ts'

/** Renders a sentence with code in backticks. */
export function prose(text: string, limit = 4000): Html {
  const pieces = clip(text, limit).split('`')
  const isBalanced = pieces.length % 2 === 1
  return html`${pieces.map((piece, index) => (isBalanced && index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`
}

/** Renders a requirement id that can break after each dot. */
export function breakableId(id: string): Html {
  const [first = '', ...others] = id.split('.')
  return html`${first}${others.map((part) => html`.<wbr>${part}`)}`
}

/** Shortens each id to its first characters; the whole id is shown on hover. */
export function withShortIds(text: string): Html {
  const parts = shortenIds(text)
  return html`${parts.map((part) => (part.id === undefined ? contentOf(part.text) : html`<abbr title="${part.id}">${part.text}</abbr>`))}`
}

/** Marks the part of a text that differs from another text, if the rest is alike. */
export function marked(text: string, other: string): Html {
  const range = differentPart(text, other)
  if (range === undefined) return contentOf(text)
  const [start, end] = range
  return html`${contentOf(text.slice(0, start))}<mark>${contentOf(text.slice(start, end))}</mark>${contentOf(text.slice(end))}`
}

/** Characters that values must have in common, so that quotes alone do not count. */
const leastAlike = 8

/** Where a text differs from another text, if the rest is alike. */
export function differentPart(text: string, other: string): [start: number, end: number] | undefined {
  const length = Math.min(text.length, other.length)
  let start = 0
  while (start < length && text[start] === other[start]) start += 1
  let end = 0
  while (end < length - start && text.at(-1 - end) === other.at(-1 - end)) end += 1
  const alike = start + end
  const isAlike = start < text.length - end && alike >= leastAlike && alike * 3 >= length
  return isAlike ? [start, text.length - end] : undefined
}

/** The meaning of each verdict, for the legend. */
export const verdictMeanings: Readonly<Record<VerdictOrAccepted, string>> = {
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
  accepted: 'a gap that the configuration accepts',
}

/** A verdict as a small colored label. */
export function verdictLabel(verdict: Verdict): Html {
  return html`<span class="v ${verdict}">${verdict}</span>`
}

/** @example duration(2345) // '2.35 s' */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return 'an unknown time'
  if (Math.abs(ms) < 9.95) return `${Number(ms.toFixed(1))} ms`
  if (Math.abs(ms) < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 2 : 1))} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** Formats a time as `2026-03-01 10:00:00 UTC`; a text that is not a time is returned unchanged. */
export function instant(text: string): string {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? text : `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** Maximum length of a URL on one line, in characters. */
const urlLimit = 500

/** Removes the base URL of an endpoint from `URL` or `METHOD URL`. A URL that no endpoint has is kept. */
export function pathOf(address: string, { target }: Report): string {
  const [, method = '', url = address] = address.match(/^([A-Z]+ )?(.*)$/s) ?? []
  const bases = target.endpoints.map((endpoint) => endpoint.url.replace(/\/+$/, ''))
  const base = bases.find((candidate) => url.startsWith(`${candidate}/`)) ?? ''
  return clip(`${method}${url.slice(base.length)}`, urlLimit)
}
