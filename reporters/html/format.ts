import type { Report } from '../model/report.ts'
import { clip } from '../model/text.ts'

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
