import { expect, test } from 'vitest'
import { allPages } from '../../suites/harness/export/pages.ts'

const items = Array.from({ length: 7 }, (_, index) => ({ id: `export-${index}` }))
const size = 2

const byOffset = 'nothing: by offset'
const fromZero = 'the number of the page, from 0'

/** How services link to the next page, which starts with this item; undefined at the end. */
const forms: Readonly<
  Record<string, (next: number | undefined) => { readonly body?: object; readonly link?: string }>
> = {
  'a link in a header': (next) =>
    next === undefined ? {} : { link: `</p?x=1>; rel="prev", </p?from=${next}>; rel=next` },
  'a link in a header with a comma in its title': (next) =>
    next === undefined
      ? {}
      : {
          link: `</p?x=1>; title="the first, please"; rel="first", </p?from=${next}>; title="next, please"; rel="last next"`,
        },
  'a link in the body': (next) => ({
    body: { links: { next: next === undefined ? null : `https://a.example/p?from=${next}` } },
  }),
  'a cursor': (next) => ({ body: { next_cursor: next ?? '' } }),
  'the next one of several cursors': (next) => ({ body: { cursors: { prev: 'none', next: next ? `${next}` : null } } }),
  'the last item of the page': (next) => ({ body: { paging: next === undefined ? {} : { after: `${next}` } } }),
  'the token of a page': (next) => ({ body: { meta: { nextPageToken: next ?? null } } }),
  'the number of the page': (next) => ({
    body: {
      page: next === undefined ? Math.ceil(items.length / size) : next / size,
      total_pages: Math.ceil(items.length / size),
    },
  }),
  [fromZero]: (next) => ({
    body: {
      number: next === undefined ? Math.ceil(items.length / size) - 1 : next / size - 1,
      totalPages: Math.ceil(items.length / size),
      totalElements: items.length,
    },
  }),
  [byOffset]: () => ({ body: { total: items.length } }),
}

test.each(Object.entries(forms))('reads all pages with %s', async (title, form) => {
  const found = await allPages(async (path) => {
    const [, name, value = '0'] = /[?](\w+)=(.*)/.exec(path) ?? []
    const first = title === fromZero ? 0 : 1
    const isIgnored = name === 'offset' && title !== byOffset
    const begin = isIgnored ? 0 : name === 'page' ? (Number(value) - first) * size : Number(value)
    const { body, link } = form(begin + size < items.length ? begin + size : undefined)
    return response({ ...body, items: items.slice(begin, begin + size) }, link === undefined ? {} : { link })
  }, '/list')

  expect(found).toEqual(items)
})

test('requests a list without pages twice', async () => {
  let asked = 0
  const found = await allPages(async () => {
    asked += 1
    return response(items)
  }, '/list')

  expect([found, asked]).toEqual([items, 2])
})

test('loses no item when new ones shift the pages', async () => {
  const newestFirst = [...items]
  const found = await allPages(async (path) => {
    const offset = Number(new URL(path, 'http://a.example').searchParams.get('offset') ?? 0)
    const page = newestFirst.slice(offset, offset + 1)
    if (offset === 3) newestFirst.unshift({ id: 'new-1' }, { id: 'new-2' })
    return response(page)
  }, '/list')

  expect(found).toEqual(items)
})

test('keeps the first version of an element that comes again', async () => {
  const running = { id: 'a', status: 'Running' }
  const pages = [[running], [{ id: 'c' }, { id: 'b' }], [{ id: 'a', status: 'Completed' }]]
  const found = await allPages(async () => response(pages.shift() ?? []), '/list')

  expect(found).toEqual([running, { id: 'c' }, { id: 'b' }])
})

function response(json: unknown, headers: Readonly<Record<string, string>> = {}) {
  return { status: 200, ok: true, headers, text: JSON.stringify(json), json }
}
