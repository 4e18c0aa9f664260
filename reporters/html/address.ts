import type { Report } from '../model/report.ts'
import { clip } from '../model/text.ts'

/** Longest address in a line, in characters. */
const limit = 500

/**
 * An address without what all addresses of its endpoint begin with, such as `/threads`; a method may stand before it. An
 * address of no endpoint stays whole.
 */
export function pathOf(address: string, { target }: Report): string {
  const [, method = '', url = address] = address.match(/^([A-Z]+ )?(.*)$/s) ?? []
  const bases = target.endpoints.map((endpoint) => endpoint.url.replace(/\/+$/, ''))
  const base = bases.find((it) => url.startsWith(`${it}/`)) ?? ''
  return clip(`${method}${url.slice(base.length)}`, limit)
}
