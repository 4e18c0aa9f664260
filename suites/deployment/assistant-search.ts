import { isDeepStrictEqual } from 'node:util'
import { answerShape } from '../harness/answer-shape.ts'
import { searchPages } from '../harness/assistant-pages.ts'
import { documented, markedConfig } from '../harness/assistants.ts'
import { type Check, check } from '../harness/check.ts'
import type { Deployment } from '../harness/deployment.ts'
import { Blocked } from '../harness/errors.ts'
import { at, show, textAt } from '../harness/json.ts'

const path = '/assistants/search'

/** Sizes of pages: each makes others of the five assistants the first of a page. */
const sizes = [2, 3]

/** More assistants than the usual default page holds. */
const many = 11

/** Small pages first, so that several are needed; larger ones where a server already holds very many. */
function pagesOf(deployment: Deployment, size: number, ids: readonly unknown[]) {
  // A large page would show everything to one who asks in circles.
  const limitOf = (page: number, stale: number) => (page < 20 || stale > 0 ? size : 50)
  return searchPages(deployment, limitOf, (seen) => ids.every((id) => seen.has(id)))
}

/** Assistants with a config of their own, one after another. */
async function make(deployment: Deployment, graph: string, count: number): Promise<readonly unknown[]> {
  const made: unknown[] = []
  while (made.length < count) made.push(await deployment.createAssistant(graph, { config: markedConfig() }))
  if (made.some((one) => textAt(one, 'assistant_id') === undefined)) {
    throw new Blocked('assistant.fields.assistant_id.type', 'no id to look for')
  }
  const ids = new Set(made.map((one) => at(one, 'assistant_id')))
  if (ids.size < count) throw new Blocked('assistant.create.fresh-id', 'some have the same id')
  return made
}

/**
 * How many assistants more than `offset` a page leaves out, fewer where negative; told only where the whole list fits
 * on one page and nobody makes assistants meanwhile.
 */
async function leftOut(deployment: Deployment, offset: number): Promise<number> {
  const count = async (from: number) => (await deployment.searchAssistants({ limit: 100, offset: from })).length
  for (let tried = 0; tried < 8; tried++) {
    const [before, page, after] = [await count(0), await count(offset), await count(0)]
    if (before === after && (await count(before)) === 0) return before - offset - page
  }
  return 0
}

/** In which order assistants come, by their places in the order of creation; others made meanwhile push some to a further page too. */
function orderOf(places: readonly number[]): string {
  const once = [...new Set(places)].join()
  if (once === '4,3,2,1,0') return 'newest first'
  return once === '0,1,2,3,4' ? 'oldest first' : 'neither by creation'
}

export const assistantSearchChecks: readonly Check[] = [
  check('assistant.search.answers-array', 'searches assistants', async (context) => {
    const answer = await context.deployment.http.send({ method: 'POST', path, body: { limit: 5, offset: 0 } })
    const right = answer.ok && Array.isArray(answer.json)
    context.verify(right, `POST ${path}`, '2xx with an array', `${answer.status} ${show(answer.text)}`)
  }),

  check(
    [
      'assistant.search.limit',
      'assistant.search.offset',
      'assistant.search.includes-created',
      'assistant.search.as-created',
      'assistant.search.order',
    ],
    'pages an assistant search by limit and offset',
    async ({ deployment, session, decide, block, verify, observe }) => {
      const made = await make(deployment, session.graph('any'), 5)
      const ids = made.map((one) => textAt(one, 'assistant_id'))
      const rounds = await Promise.all(sizes.map((size) => pagesOf(deployment, size, ids)))
      const pages = rounds.flat()
      const paged = rounds.map((round) => round.flatMap(({ page }) => page))
      const whole = [...paged.flat(), ...(await deployment.searchAssistants({ limit: 100, offset: 0 }))]
      const has = (list: readonly unknown[], id: unknown) => list.some((one) => at(one, 'assistant_id') === id)
      const nowhere = ids.filter((id) => !has(whole, id))
      const passedOver = ids.filter((id) => !paged.every((round) => has(round, id)))
      await decide('assistant.search.limit', () => {
        const large = pages.find(({ limit, page }) => page.length > limit)
        verify(!large, 'a page of the search', `at most ${large?.limit} assistants`, `${large?.page.length} assistants`)
      })
      await decide('assistant.search.includes-created', () => {
        verify(
          nowhere.length === 0,
          'all pages of the search',
          `the assistants ${ids.join(', ')}`,
          `none of ${nowhere}`,
        )
      })
      if (nowhere.length > 0)
        block('assistant.search.offset', 'assistant.search.includes-created', 'no page shows them')
      const off = await leftOut(deployment, 2)
      await decide('assistant.search.offset', () => {
        verify(off === 0, 'a page of the search with offset 2', 'all assistants but 2', `all but ${2 + off}`)
        const what = 'the search page by page, offset growing by what each page held'
        verify(
          passedOver.length === 0,
          what,
          `the assistants ${ids.join(', ')}`,
          `passed over: ${passedOver.join(', ')}`,
        )
      })
      const found = made.map((one) => whole.find((other) => at(other, 'assistant_id') === at(one, 'assistant_id')))
      await decide('assistant.search.as-created', () => {
        const pairs = found.flatMap((one, index) =>
          one === undefined ? [] : [{ seen: documented(one), expected: documented(made[index]) }],
        )
        if (pairs.length === 0) throw new Blocked('assistant.search.includes-created', 'no page shows them')
        for (const { seen, expected } of pairs)
          verify(isDeepStrictEqual(seen, expected), 'an assistant in the search', show(expected), seen)
      })
      const places = (paged[0] ?? []).map((one) => ids.indexOf(textAt(one, 'assistant_id')))
      observe('assistant.search.order', orderOf(places.filter((place) => place >= 0)))
    },
  ),

  check(
    ['assistant.search.default-page', 'assistant.search.page-headers'],
    'observes an assistant search without limit',
    async ({ deployment, session, observe }) => {
      await make(deployment, session.graph('any'), many)
      const all = await deployment.http.send({ method: 'POST', path, body: {} })
      const size = Array.isArray(all.json) ? `${all.json.length} assistants of at least ${many}` : answerShape(all)
      observe('assistant.search.default-page', size)
      const page = await deployment.http.send({ method: 'POST', path, body: { limit: 1, offset: 0 } })
      const names = Object.keys(page.headers).filter((name) => /pag|total|count|link|next/i.test(name))
      observe('assistant.search.page-headers', names.sort().join(', ') || 'none')
    },
  ),
]
