import { nestedFields } from './export/record-fields.ts'
import { show } from './json.ts'

/** Parts of a response with a page of a list. */
interface Page {
  readonly headers: Readonly<Record<string, string>>
  readonly json?: unknown
}

/** Names of headers that may say how a list continues. */
const continuingHeader = /(^|-)(link|next|cursor|token|pages?|total|count|range|continuation)(-|$)/
/** Names of fields beside a list that do not say how it continues. */
const otherName =
  /(^|\.)(status|message|ok|success|object|type|version|self|first|prev(ious)?|(request|trace)_?id|time(stamp)?)$/i
/** Names of numbers of elements. */
const countName = /count|total|size|limit|length|per_?page|(^|\.)(num|items|results)/i

/**
 * Fields and headers that may say how a list continues in a form that `allPages` does not know, with their values: a header,
 * or a text, true or number beside the list. `counts` are the numbers of elements that the page and all pages have: as a
 * count, they say nothing about further ones.
 */
export function signsOfPages({ headers, json }: Page, counts: readonly number[]): readonly string[] {
  const isCount = (name: string, value: unknown) => countName.test(name) && counts.includes(Number(value))
  const isSign = (value: unknown) =>
    value === true || typeof value === 'number' || (typeof value === 'string' && value !== '')
  const fields = Array.isArray(json) ? [] : nestedFields(json)
  const shown = fields.filter(({ path, value }) => isSign(value) && !otherName.test(path) && !isCount(path, value))
  const named = Object.entries(headers).filter(([name, value]) => continuingHeader.test(name) && !isCount(name, value))
  return [
    ...shown.map(({ path, value }) => `${path}: ${show(value, 60)}`),
    ...named.map(([name, value]) => `header ${name}: ${show(value, 60)}`),
  ]
}

const pageName = /(^|\.)((current_?)?page(_?(number|index))?|number)$/i
const pageCountName = /(^|\.)((total|num)_?pages|pages|page_?count|last_?page)$/i
const totalName = /(^|\.)total(_?(count|items|results|elements))?$/i
/** A link in a header and its parameters, whose texts may contain commas. */
const headerLink = /<([^>]*)>((?:"[^"]*"|[^",])*)/g
const linkName = /(^|\.)(next|next_?(page|url|link|href)(\.href)?|next\.href)$/i
const cursorName =
  /(^|\.)(next_?(\w*(cursor|token|page|offset)|key)|continuation_?token|(paging|pagination|page_?info|cursors?)\.after|cursors?\.next)$/i

const moreName = /(^|\.)has_?more$/i
/** The last id of a page continues a list only if the page says that there are more: otherwise it may be a mere statement. */
const lastIdName = /(^|\.)last_?id$/i

/**
 * Query of the next page, from a link in the header or body of a response, from a cursor, or from the number of this page;
 * undefined if there is none. `count` is the number of elements up to this page.
 */
export function nextPage({ headers, json }: Page, count: number): string | undefined {
  const links = [...(headers['link'] ?? '').matchAll(headerLink)]
  const target = links.find(([, , parameters = '']) => /;\s*rel\s*=\s*"?([^";]*\s)?next\b/i.test(parameters))?.[1] ?? ''
  // A link without a query is no page of this list.
  if (target.includes('?')) return queryOf(target)
  const fields = Array.isArray(json) ? [] : nestedFields(json)
  const link = fields.find(({ path, value }) => linkName.test(path) && typeof value === 'string' && value.includes('?'))
  if (link !== undefined) return queryOf(String(link.value))
  const hasMore = fields.some(({ path, value }) => moreName.test(path) && value === true)
  const cursor = fields.find(
    ({ path, value }) =>
      (cursorName.test(path) || (hasMore && lastIdName.test(path))) &&
      value !== null &&
      value !== '' &&
      value !== false,
  )
  if (cursor === undefined) return nextNumber(fields, count)
  const name = cursor.path
    .replace(/^(.*\.)?cursors?\.next$/i, 'cursor')
    .replace(/^(.*\.)?last_?id$/i, 'after')
    .replace(/^.*\./, '')
    .replace(/^next_?(.)/i, (_, letter: string) => letter.toLowerCase())
  return `?${new URLSearchParams({ [name]: String(cursor.value) })}`
}

/** Query of the next page, where a response has the number of its page and shows that there are more. */
function nextNumber(fields: ReturnType<typeof nestedFields>, count: number): string | undefined {
  const numberOf = (name: RegExp) => fields.find(({ path, value }) => name.test(path) && typeof value === 'number')
  const [page, pageCount, total] = [pageName, pageCountName, totalName].map(numberOf)
  if (page === undefined) return undefined
  const number = Number(page.value)
  if (number >= Number(pageCount?.value ?? 0) && count >= Number(total?.value ?? 0)) return undefined
  const name = page.path
    .replace(/^.*\./, '')
    .replace(/^number$/, 'page')
    .replace(/^current_?(.)/i, (_, letter: string) => letter.toLowerCase())
  return `?${new URLSearchParams({ [name]: String(number + 1) })}`
}

function queryOf(target: string): string {
  return target.slice(target.indexOf('?'))
}
