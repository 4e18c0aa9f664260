import type { Wrap } from '../../wrappers/fetch.ts'
import { json, replace } from '../../wrappers/responses.ts'
import { type Choice, choicesOf } from '../choice.ts'
import { isCreation, isList, isRunList } from './paths.ts'

const onUnknownPages = 'spawned exports may be on pages that no client finds'

/** Lists of exports and of export runs. */
export const exportListChoices: readonly Choice[] = choicesOf('export', {
  'export.list.order': {
    description: 'The order of lists.',
    legal: 'export.list.order, export.run.order: not shown',
    values: { reversed: { wrap: lists((all) => all.toReversed()) } },
  },
  'export.list.lag': {
    description: 'When a new export appears in lists.',
    legal: 'GET /api/v1/bulk-exports: when it shows a new export is not shown (ruling 38)',
    values: { '300-ms': { wrap: listLate(300) }, '1-s': { wrap: listLate(1000) } },
  },
  'export.list.form': {
    description: 'The form of lists and of their pages.',
    legal: 'export.list.form, export.limits.page-size: pagination is not shown',
    values: {
      edges: { wrap: pages((all) => ({ edges: all.map((node, index) => ({ cursor: String(index), node })) })) },
      enveloped: { wrap: pages((all) => ({ exports: all, errors: [], warnings: [] })) },
      nested: { wrap: pages((all) => ({ data: { items: all }, meta: { links: ['next'] } })) },
      'offset-of-two': {
        wrap: pages((all, query) => {
          const offset = Number(query.get('offset') ?? 0)
          return { total: all.length, items: all.slice(offset, offset + 2) }
        }),
      },
      cursor: {
        wrap: pages((all, query) => {
          const from = Number(query.get('cursor') ?? 0)
          return { exports: all.slice(from, from + 5), next_cursor: from + 5 < all.length ? `${from + 5}` : null }
        }),
      },
      'cursors-next': {
        wrap: pages((all, query) => {
          const from = Number(query.get('cursor') ?? 0)
          return {
            items: all.slice(from, from + 15),
            cursors: { next: from + 15 < all.length ? `${from + 15}` : null },
          }
        }),
      },
      'after-id': {
        wrap: pages((all, query) => {
          const idOf = (each: unknown) => Object(each).id
          const from = all.findIndex((each) => idOf(each) === query.get('after')) + 1
          const data = all.slice(from, from + 10)
          return { data, has_more: from + 10 < all.length, last_id: idOf(data.at(-1)) ?? null }
        }),
      },
      // No client can know this form.
      'unknown-pages': {
        excuses: {
          'export.schedule.*': onUnknownPages,
          'export.cancel.sp*': onUnknownPages,
          'export.cancel.stops-spawning': onUnknownPages,
        },
        wrap: pages((all, query) => {
          const from = Number(query.get('after_row') ?? 0)
          const row = from + 20 < all.length ? { row: { last: from + 20 } } : {}
          return { exports: all.slice(from, from + 20), ...row }
        }),
      },
      'page-numbers': {
        wrap: pages((all, query) => {
          const page = Number(query.get('page') ?? 1)
          const size = 10
          const pageCount = Math.ceil(all.length / size)
          return { results: all.slice((page - 1) * size, page * size), page, page_size: size, total_pages: pageCount }
        }),
      },
    },
  },
})

function lists(change: (all: readonly unknown[]) => readonly unknown[]): Wrap {
  return json((body, request) => ((isList(request) || isRunList(request)) && Array.isArray(body) ? change(body) : body))
}

/** Shows a new export in lists a moment after its creation, or after a list would have shown that it has been spawned. */
function listLate(ms: number): Wrap {
  return (fetch) => {
    const knownSince = new Map<unknown, number>()
    const isNew = (each: unknown) => {
      const { id } = Object(each)
      const since = knownSince.get(id) ?? performance.now()
      knownSince.set(id, since)
      return performance.now() - since < ms
    }
    const filtered = json((body, request) =>
      isList(request) && Array.isArray(body) ? body.filter((each) => !isNew(each)) : body,
    )(fetch)
    return async (request) => {
      const response = await filtered(request)
      if (isCreation(request) && response.ok) isNew(await response.clone().json())
      return response
    }
  }
}

/** Returns lists in pages instead of the pages of the mock server. */
function pages(page: (all: readonly unknown[], query: URLSearchParams) => unknown): Wrap {
  return (fetch) => async (request) => {
    if (!isList(request) && !isRunList(request)) return fetch(request)
    const { origin, pathname, searchParams } = new URL(request.url)
    const whole = await fetch(new Request(`${origin}${pathname}`, request))
    const all: unknown = whole.ok ? await whole.clone().json() : undefined
    return Array.isArray(all) ? replace(whole, { body: JSON.stringify(page(all, searchParams)) }) : whole
  }
}
