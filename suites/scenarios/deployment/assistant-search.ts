import { isDeepStrictEqual } from 'node:util'
import { indexMs } from '../../catalog/deployment/assistant.ts'
import { searchPages } from '../../harness/assistants.ts'
import { responseShape } from '../../harness/response-shape.ts'
import { poll } from '../../harness/waiting.ts'
import { at, textAt } from '../../values/json.ts'
import { orderOf } from '../list-order.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'

/** More assistants than fit on the usual default page. */
const many = 11

export const assistantSearchScenarios: readonly Scenario[] = [
  scenario(
    [
      'assistant.search.answers-array',
      'assistant.search.limit',
      'assistant.search.offset',
      'assistant.search.includes-created',
      'assistant.search.as-created',
    ],
    'pages an assistant search by limit and offset',
    async (context) => {
      // A search that hides some of all assistants hides some of these, because they are created at the same time.
      const createAtOnce = (count: number, client = context.deployment) =>
        Promise.all(Array.from({ length: count }, () => client.assistant('any')))
      const older = await createAtOnce(2)
      // A page must not count the assistants of other users.
      if (context.session.endpoint.users) await createAtOnce(4, context.as('bob'))
      const ids = [...older, ...(await createAtOnce(3))]
      // Use large pages if the server already has very many assistants, unless it repeats pages.
      const limitOf = (page: number, stale: number) => (page < 20 || stale > 0 ? 2 : 50)
      const first = async () =>
        (await context.deployment.searchAssistants({ limit: 100, offset: 0 })).map((each) => at(each, 'assistant_id'))
      // A search may show new assistants late.
      const untilShown = async () => {
        const shown = await first()
        return ids.every((id) => shown.includes(id)) || undefined
      }
      await poll(context.session, untilShown, { budgetMs: () => indexMs })
      await searchPages(context.deployment, limitOf, (shown) => ids.every((id) => shown.has(id)))
      let before = await first()
      const pages: readonly ((count: number) => { offset: number; limit: number })[] = [
        () => ({ offset: 2, limit: 100 }),
        // Full pages at the end.
        (count) => ({ offset: Math.floor(count / 2), limit: Math.ceil(count / 2) }),
        (count) => ({ offset: count - 1, limit: 1 }),
        (count) => ({ offset: count, limit: 100 }),
      ]
      for (const page of pages) {
        // Other clients may create assistants between two reads of the first page.
        await poll(context.session, async () => {
          await context.deployment.searchAssistants(page(Math.max(1, before.length)))
          const after = await first()
          const isSame = isDeepStrictEqual(before, after)
          before = after
          return isSame || undefined
        })
      }
    },
  ),

  probe(
    ['assistant.search.default-page', 'assistant.search.page-headers', 'assistant.search.order'],
    'observes an assistant search without limit',
    async (context) => {
      const { deployment, observe } = context
      const ids: string[] = []
      // One after another, because the search may show them in the order of their creation.
      while (ids.length < many) ids.push(await deployment.assistant('any'))
      const search = (body: object) => deployment.http.send({ method: 'POST', path: '/assistants/search', body })
      const all = await search({})
      const size = Array.isArray(all.json) ? `${all.json.length} assistants of at least ${many}` : responseShape(all)
      observe('assistant.search.default-page', size)
      const page = await search({ limit: 1, offset: 0 })
      const names = Object.keys(page.headers).filter((name) => /pag|total|count|link|next/i.test(name))
      observe('assistant.search.page-headers', names.sort().join(', ') || 'none')
      const pages = await searchPages(deployment, () => 100)
      // New assistants may move others to the next page, so that two pages show them.
      const listed = new Set(pages.flatMap(({ page }) => page.map((assistant) => textAt(assistant, 'assistant_id'))))
      observe('assistant.search.order', orderOf([...listed], ids))
    },
  ),
]
