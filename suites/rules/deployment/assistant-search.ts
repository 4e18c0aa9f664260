import { isDeepStrictEqual } from 'node:util'
import { indexMs, isDefaultAssistant, stalePages } from '../../catalog/deployment/assistant.ts'
import { isObject } from '../../catalog/facts.ts'
import { type DeploymentModel, keyOf } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { deployedGraphs } from '../../model/graphs.ts'
import { at, listAt, show } from '../../values/json.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { acceptsCaller, isArrayOfObjects, responds } from '../common.ts'
import { mismatch, type Rule, rule, type Subject, verify, verifyIncludes } from '../rule.ts'
import { createdAssistants, isOwn, ownReads } from './assistants.ts'

const search = 'POST /assistants/search'

const searches = (model: DeploymentModel): readonly Subject[] =>
  model
    .attempts(search)
    .filter((exchange) => exchange.status !== 401 || acceptsCaller(model, exchange))
    .map((exchange) => ({ exchange }))

/** Whether the same search of the same caller was accepted with a smaller limit. */
function isSmallerAccepted(model: DeploymentModel, exchange: Exchange): boolean {
  return model
    .of(search)
    .some(
      (other) =>
        offsetOf(other) === offsetOf(exchange) &&
        other.caller === exchange.caller &&
        Number(limitOf(other)) < Number(limitOf(exchange)),
    )
}

const limitOf = ({ request }: Exchange): unknown => at(request, 'limit')
const offsetOf = ({ request }: Exchange): unknown => at(request, 'offset')
const lengthOf = ({ json }: Exchange): number => listAt(json).length
const idsIn = ({ json }: Exchange): readonly (string | undefined)[] =>
  listAt(json).map((assistant) => keyOf(at(assistant, 'assistant_id')))

/**
 * A search on several pages: each request starts where the page before it ended. `exchange` is the last page that is not
 * empty, and `setup` the pages before it.
 */
export interface PagedSearch extends Subject {
  readonly setup: readonly Exchange[]
  readonly pages: readonly Exchange[]
  /** Ids of all assistants on the pages. */
  readonly ids: ReadonlySet<string | undefined>
  /** Whether the pages contain all assistants: the last one is empty, or the server repeats pages. */
  readonly isComplete: boolean
}

/** The pages that each caller requested in each scenario. */
function pagesByCaller(model: DeploymentModel): Iterable<readonly Exchange[]> {
  const pages = model.of(search).filter((page) => Array.isArray(page.json) && Number.isInteger(limitOf(page)))
  return Map.groupBy(pages, (page) => `${page.scenario.id} ${page.caller}`).values()
}

export function* pagedSearches(model: DeploymentModel): Iterable<PagedSearch> {
  for (const pages of pagesByCaller(model)) {
    let paged: Exchange[] = []
    for (const page of [...pages, undefined]) {
      const last = paged.at(-1)
      const isNext = last !== undefined && page !== undefined && page.sentAt >= last.endedAt && follows(page, last)
      if (!isNext && paged.length > 0) yield pagedSearchOf(paged)
      if (!isNext) paged = []
      if (page !== undefined && (isNext || offsetOf(page) === 0)) paged.push(page)
    }
  }
}

function follows(page: Exchange, before: Exchange): boolean {
  return lengthOf(before) > 0 && offsetOf(page) === Number(offsetOf(before)) + lengthOf(before)
}

function pagedSearchOf(pages: readonly Exchange[]): PagedSearch {
  const ids = new Set<string | undefined>()
  let stale = 0
  for (const page of pages) {
    const before = ids.size
    for (const id of idsIn(page)) ids.add(id)
    stale = ids.size === before ? stale + 1 : 0
  }
  const [last] = pages.slice(-1) as [Exchange]
  const filled = pages.filter((page) => lengthOf(page) > 0)
  const isComplete = lengthOf(last) === 0 || stale >= stalePages
  return { exchange: filled.at(-1) ?? last, setup: filled, pages, ids, isComplete }
}

/** The end of the first search that shows an assistant, by its id. */
function firstShown(model: DeploymentModel): ReadonlyMap<string | undefined, number> {
  const first = new Map<string | undefined, number>()
  for (const page of model.of(search))
    for (const id of idsIn(page)) first.set(id, Math.min(first.get(id) ?? Infinity, page.endedAt))
  return first
}

/** Returns when a page can have been read first: a server may repeat its response to an equal request for a short time. */
function earliestRead(model: DeploymentModel, page: Exchange): number {
  const equal = (derive(model, pagesByRequest).get(requestKey(page)) ?? []).filter(
    ({ sentAt, endedAt, json }) =>
      sentAt <= page.sentAt && endedAt >= page.sentAt - settlingMs && isDeepStrictEqual(json, page.json),
  )
  return equal[0]?.sentAt ?? page.sentAt
}

const requestKey = ({ caller, request }: Exchange) => JSON.stringify([caller, request])
const pagesByRequest = (model: DeploymentModel) => Map.groupBy(model.of(search), requestKey)

/** A search, with those of the assistants that it must contain which are missing: the same caller created them before. */
interface Expectation extends PagedSearch {
  readonly missing: readonly Exchange[]
  /** Missing assistants that are in no search at all. */
  readonly hidden: readonly Exchange[]
}

function* expectations(model: DeploymentModel): Iterable<Expectation> {
  const shownAt = derive(model, firstShown)
  const all = [...createdAssistants(model)]
  const byScenario = Map.groupBy(all, ([, { scenario }]) => scenario)
  for (const paged of select(model, pagedSearches)) {
    const { pages, ids, isComplete } = paged
    const [first] = pages as [Exchange]
    // On several pages, assistants of other scenarios may be skipped, because assistants are created between two pages.
    const isSingle = pages.length === 2 && isComplete && lengthOf(first) < Number(limitOf(first))
    const expected = (isSingle ? all : (byScenario.get(first.scenario) ?? [])).filter(([id, creation]) =>
      isOwn(model, id, creation, first),
    )
    const unlisted = expected.filter(([id]) => !ids.has(id))
    // How soon a search shows a new assistant is unspecified.
    const readAt = earliestRead(model, first)
    const missing = unlisted.filter(([id, { endedAt }]) => readAt >= (shownAt.get(id) ?? endedAt + indexMs))
    const isDecided = unlisted.length === 0 || (isComplete && missing.length > 0)
    if (expected.length === 0 || !isDecided) continue
    const creations = missing.map(([, creation]) => creation)
    const hidden = missing.filter(([id]) => !shownAt.has(id)).map(([, creation]) => creation)
    // Assistants that other searches show are lost where the pages end.
    const exchange = creations.length > hidden.length ? (pages.at(-1) ?? paged.exchange) : paged.exchange
    yield { ...paged, exchange, missing: creations, hidden, setup: [...creations.slice(0, 3), ...paged.setup] }
  }
}

/**
 * Pages with an offset between two equal first pages. They must contain as many assistants of the first page as the
 * offset does not skip, in any order, and no more. If the first page is the only one, they contain no others, except assistants so new
 * that the first page, which a server may cache, need not show them.
 */
function* windows(model: DeploymentModel) {
  const searched = [...pagesByCaller(model)]
  // The server may limit pages to fewer assistants than requested: a page of the largest size may not be the only one.
  const largest = searched.flat().reduce((most, page) => Math.max(most, lengthOf(page)), 0)
  // Also those of probes.
  const created = model.exchanges.filter(({ operation, accepted }) => operation === 'POST /assistants' && accepted)
  for (const pages of searched) {
    for (const [index, exchange] of pages.entries()) {
      const [before, after, offset] = [pages[index - 1], pages[index + 1], Number(offsetOf(exchange))]
      if (before === undefined || after === undefined || !(offset > 0)) continue
      if (!isDeepStrictEqual(before.request, after.request) || offsetOf(before) !== 0) continue
      const isSequential = before.endedAt <= exchange.sentAt && exchange.endedAt <= after.sentAt
      if (!isSequential || !isDeepStrictEqual([...idsIn(before)], [...idsIn(after)])) continue
      const shown = new Set(idsIn(before))
      const unseen = created.filter(
        ({ json, sentAt, endedAt }) =>
          endedAt > before.sentAt - indexMs && sentAt < exchange.endedAt && !shown.has(keyOf(at(json, 'assistant_id'))),
      ).length
      const unskipped = Math.max(0, lengthOf(before) - offset)
      // A server may have a smaller page for a larger limit.
      const isEnd = (page: Exchange) =>
        limitOf(page) === limitOf(before) && offsetOf(page) === lengthOf(before) && lengthOf(page) === 0
      const isComplete = lengthOf(before) < Math.min(largest, Number(limitOf(before))) && pages.some(isEnd)
      // Assistants that a cached first page does not show may fill the next one.
      const least = Math.max(0, Math.min(unskipped, Math.min(largest, Number(limitOf(exchange))) - unseen))
      const again = idsIn(exchange).filter((id) => shown.has(id)).length
      const most = isComplete ? unskipped + unseen : Number.POSITIVE_INFINITY
      yield { exchange, setup: [before, after], again, least, mostAgain: unskipped + unseen, most }
    }
  }
}

function absent(
  creations: readonly Exchange[],
  what: string,
  pages: readonly Exchange[] = [],
): ReturnType<typeof mismatch> | undefined {
  if (creations.length === 0) return undefined
  const ids = show(creations.map(({ json }) => at(json, 'assistant_id')))
  const end = pages.find((page) => lengthOf(page) === 0)
  const after = end ? `; the page at offset ${offsetOf(end)} is empty` : ''
  return mismatch(what, 'every assistant that the caller created', `no page with ${ids}${after}`)
}

/** The default assistant of a graph, as far as the trace shows it. */
interface GraphDefault extends Subject {
  readonly graph: string
  /** Ids of its default assistants that runs or other searches show. */
  readonly ids: ReadonlySet<string | undefined>
  readonly exists: boolean
  readonly isListed: boolean
}

/** The default assistants of all deployed graphs, if a search shows them or contains all assistants. */
function* defaults(model: DeploymentModel): Iterable<GraphDefault> {
  if (model.endpoint.profile !== 'open') return
  const whole = select(model, pagedSearches).findLast(({ isComplete }) => isComplete)
  for (const graph of deployedGraphs(model.endpoint)) {
    const named = [...model.defaultAssistants].filter(([, name]) => name === graph)
    const ids = new Set<string | undefined>(named.map(([id]) => id))
    const isDefault = (assistant: unknown) =>
      ids.has(keyOf(at(assistant, 'assistant_id'))) ||
      (isDefaultAssistant(assistant) && at(assistant, 'graph_id') === graph)
    const listing = model.of(search).find(({ json }) => listAt(json).some(isDefault))
    const read = model.of('GET /assistants/{assistant_id}').find(({ params }) => ids.has(keyOf(params['assistant_id'])))
    const exchange = listing ?? (ids.size > 0 ? whole?.exchange : undefined)
    if (exchange === undefined) continue
    const isListed = listing !== undefined
    const setup = isListed ? [] : [read, ...(whole?.setup ?? [])]
    yield { exchange, setup, graph, ids, exists: isListed || read !== undefined, isListed }
  }
}

/** Reads of default assistants that a search shows, or that are accepted. */
function* defaultReads(model: DeploymentModel): Iterable<Subject> {
  const listed = derive(model, firstShown)
  for (const exchange of model.attempts('GET /assistants/{assistant_id}')) {
    const id = keyOf(exchange.params['assistant_id']) ?? ''
    if (model.defaultAssistants.has(id) && (exchange.accepted || listed.has(id))) yield { exchange }
  }
}

/** Rules about the search for assistants and about default assistants. */
export const assistantSearchRules: readonly Rule<DeploymentModel>[] = [
  rule('assistant.search.answers-array', {
    each: searches,
    // The specification shows no largest page.
    when: ({ exchange }, model) => exchange.accepted || !isSmallerAccepted(model, exchange),
    evaluate: (subject) => responds(subject, 'an array of objects', isArrayOfObjects),
  }),
  rule('assistant.search.limit', {
    each: searches,
    when: ({ exchange }) => Array.isArray(exchange.json) && Number.isInteger(limitOf(exchange)),
    evaluate: ({ exchange }) => {
      const [limit, count] = [Number(limitOf(exchange)), lengthOf(exchange)]
      return count <= limit ? undefined : mismatch('the number of assistants on a page', `at most ${limit}`, count)
    },
  }),
  rule('assistant.search.offset', {
    each: expectations,
    when: ({ pages, missing }) => pages.length > 1 || missing.length > 0,
    evaluate: ({ hidden, missing, pages }) =>
      hidden.length > 0
        ? 'assistant.search.includes-created'
        : absent(missing, 'the pages of the search, each at the end of the one before it,', pages),
  }),
  rule('assistant.search.offset', {
    each: windows,
    evaluate: ({ exchange, again, least, mostAgain, most }, model) => {
      if (select(model, expectations).some(({ hidden }) => hidden.length > 0))
        return 'assistant.search.includes-created'
      const count = lengthOf(exchange)
      if (count > most) return mismatch('the number of assistants after the skipped ones', `at most ${most}`, count)
      const name = 'the number of assistants of the first page on the next'
      const expected = least < mostAgain ? `${least} to ${mostAgain}` : String(least)
      return verify(least <= again && again <= mostAgain, name, expected, again)
    },
  }),
  rule('assistant.search.includes-created', {
    each: expectations,
    when: ({ missing, hidden }) => missing.length === 0 || hidden.length > 0,
    evaluate: ({ hidden }) => absent(hidden, 'all pages of the search'),
  }),
  rule('assistant.default.exists', {
    each: defaults,
    evaluate: ({ exists, graph }) =>
      exists ? undefined : mismatch(`the default assistants of the graph ${graph}`, 'one assistant', 'none'),
  }),
  rule('assistant.search.includes-default', {
    each: defaults,
    when: ({ exists }) => exists,
    evaluate({ isListed, graph, ids }) {
      const received = `none with the id ${[...ids].join(' or ')}`
      return verifyIncludes(
        isListed,
        'the pages of the search',
        `the default assistant of the graph ${graph}`,
        received,
      )
    },
  }),
  rule('assistant.get.default', {
    each: defaultReads,
    evaluate: (subject, model) => {
      const reads = select(model, ownReads)
      const isBroken = reads.every(({ exchange }) => !exchange.accepted || !isObject(exchange.json))
      if (isBroken && reads.length > 0) return 'assistant.get.answers-assistant'
      return responds(subject, 'the default assistant')
    },
  }),
]
