import type { RequirementId } from '../../catalog/generated/ids.ts'
import { type Mismatch, type Rule, rule, rules, verify } from '../../evaluate/rule.ts'
import { at, listAt, show, textAt } from '../../harness/json.ts'
import { type DeploymentModel, keyOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Operation } from '../../model/operations.ts'
import { nameOf, shown } from '../common.ts'
import { rounds } from './assistant-search.ts'
import { foundByOwners } from './auth-shared.ts'
import { acceptedBefore, dataIn, isCrowded, resources, type Visit, visits } from './visits.ts'

const readState = 'GET /threads/{thread_id}/state'

/** What must hide the first user's resources from the second user, by operation. */
const scoped: Readonly<Partial<Record<Operation, RequirementId>>> = {
  [readState]: 'auth.scope.state',
  'GET /threads/{thread_id}/runs': 'auth.scope.run-list',
  'GET /threads/{thread_id}/runs/{run_id}': 'auth.scope.run-get',
  'GET /threads/{thread_id}/runs/{run_id}/join': 'auth.scope.run-join',
  'POST /threads/{thread_id}/runs': 'auth.scope.run-create',
  'POST /threads/{thread_id}/runs/stream': 'auth.scope.run-stream',
  'GET /assistants/{assistant_id}': 'auth.scope.assistant-get',
}

const isEndUser = ({ user }: Exchange): boolean => user === 'alice' || user === 'bob'

/** A request of one end user about a resource of the other one. */
interface ForeignVisit extends Visit {
  readonly operation: Operation | undefined
  readonly isCrowded: boolean
  /** Data of the resource in the response. */
  readonly leak: readonly string[]
}

/** Requests that show data of the other end user, or whose like shows data to a user who may see it. */
function* foreign(model: DeploymentModel): Iterable<ForeignVisit> {
  for (const visit of select(model, visits)) {
    const { exchange, created } = visit
    if (!isEndUser(exchange) || !isEndUser(created)) continue
    const { operation, method } = exchange
    const isRun = operation === 'POST /threads/{thread_id}/runs' && exchange.accepted
    const runId = isRun ? textAt(exchange.json, 'run_id') : undefined
    const leak = runId === undefined ? dataIn(visit, exchange) : [runId]
    const accepted = method === 'POST' && operation ? model.of(operation) : []
    const control = visit.control ?? accepted.find(({ user }) => user === exchange.user)
    if (control === undefined && leak.length === 0) continue
    yield { ...visit, setup: [created, control], operation, isCrowded: isCrowded(visit, exchange), leak }
  }
}

const hidden = ({ exchange, leak }: ForeignVisit): Mismatch | undefined =>
  verify(
    leak.length === 0,
    `the response to ${nameOf(exchange)} about a resource of another user`,
    'one without data of that user',
    shown(exchange),
  )

/** Returns the requirement that an operation fails because it shows the first user's data to the second user. */
function leakOf(model: DeploymentModel, operation: Operation | undefined): RequirementId | undefined {
  const isLeak = (visit: ForeignVisit) => visit.operation === operation && visit.created.user === 'alice'
  const isOpen = select(model, foreign).some((visit) => isLeak(visit) && !visit.isCrowded && visit.leak.length > 0)
  return isOpen && operation ? scoped[operation] : undefined
}

const scopedRules = Object.entries(scoped).map(([operation, requirement]) =>
  rule(requirement, {
    each: foreign,
    when: (visit) => visit.operation === operation && visit.created.user === 'alice' && !visit.isCrowded,
    holds: hidden,
  }),
)

/** Requests of owners after the other end user has tried to see the resource. */
function* ownAgain(model: DeploymentModel) {
  for (const resource of select(model, resources)) {
    const { created, own, visits: others } = resource
    const visit = others.find(isEndUser)
    if (visit === undefined || !isEndUser(created)) continue
    for (const exchange of own.filter(({ sentAt }) => sentAt >= visit.endedAt)) {
      const before = acceptedBefore(resource, exchange, visit.sentAt)
      const shownBefore = before ? dataIn(resource, before) : []
      const missing = shownBefore.filter((mark) => !dataIn(resource, exchange).includes(mark))
      const setup = [created, before, visit]
      if (shownBefore.length > 0) yield { exchange, setup, missing, isCrowded: isCrowded(resource, exchange) }
    }
  }
}

/** Returns the requirement that reads of states fail because owners no longer see their own. */
function hiddenFromOwner(model: DeploymentModel): RequirementId | undefined {
  const isHidden = select(model, ownAgain).some(
    ({ exchange, isCrowded, missing }) => exchange.operation === readState && !isCrowded && missing.length > 0,
  )
  return isHidden ? 'auth.scope.own-state' : undefined
}

function ownRule(requirement: RequirementId, operation: Operation): Rule<DeploymentModel> {
  return rule(requirement, {
    each: ownAgain,
    when: ({ exchange, isCrowded }) => exchange.operation === operation && !isCrowded,
    holds: ({ exchange, missing }) =>
      verify(missing.length === 0, `the response to ${nameOf(exchange)}`, `one with ${show(missing)}`, shown(exchange)),
  })
}

/** Reads of states while the other end user reads the same state. */
function* crowdedReads(model: DeploymentModel) {
  const foreignReads = select(model, foreign).map((visit) => ({ ...visit, missing: [] }))
  const ownReads = select(model, ownAgain).map((read) => ({ ...read, leak: [] }))
  for (const read of [...foreignReads, ...ownReads]) {
    if (read.isCrowded && read.exchange.operation === readState) yield read
  }
}

/** Lists of threads by end users after the other one has created threads. */
function* threadLists(model: DeploymentModel) {
  const lists = model.of('GET /threads').filter(({ json }) => listAt(json).some((thread) => threadIdOf(thread)))
  for (const exchange of lists.length > 0 ? model.of('GET /threads').filter(isEndUser) : []) {
    const others = model
      .of('POST /threads')
      .filter((created) => isEndUser(created) && created.user !== exchange.user && created.endedAt <= exchange.sentAt)
    const ids = new Set(others.map(({ json }) => threadIdOf(json)))
    const leak = listAt(exchange.json).filter((thread) => ids.has(threadIdOf(thread)))
    if (others.length > 0) yield { exchange, setup: [others.at(-1)], leak }
  }
}

const threadIdOf = (thread: unknown): string | undefined => keyOf(at(thread, 'thread_id'))

/** Searches by end users while the other one has assistants. */
function* searches(model: DeploymentModel) {
  for (const round of select(model, rounds)) {
    if (!isEndUser(round.exchange)) continue
    const others = foundByOwners(model, round)
    const leak = [...others.keys()].filter((id) => round.ids.has(id))
    const setup = [...[...others.values()].slice(-1), ...round.pages]
    if (leak.length > 0 || (others.size > 0 && round.isWhole)) yield { ...round, setup, leak }
  }
}

/** Searches by owners after the other end user has tried to see an assistant. */
function* searchesAgain(model: DeploymentModel) {
  for (const { created, visits: others } of select(model, resources)) {
    const [id, visit] = [keyOf(at(created.json, 'assistant_id')), others.find(isEndUser)]
    if (id === undefined || visit === undefined) continue
    const own = select(model, rounds).filter(({ exchange }) => exchange.user === created.user)
    const before = own.find(({ exchange, ids }) => exchange.endedAt <= visit.sentAt && ids.has(id))
    for (const round of before === undefined ? [] : own) {
      const [first] = round.pages
      if (first === undefined || first.sentAt < visit.endedAt || !(round.isWhole || round.ids.has(id))) continue
      yield { ...round, setup: [created, before?.exchange, visit, ...round.pages], id }
    }
  }
}

/** Rules about what users see of the resources of other users, and of their own. */
export const authScopeRules: readonly Rule<DeploymentModel>[] = [
  ...scopedRules,
  ownRule('auth.scope.own-state', readState),
  ownRule('auth.scope.own-runs', 'GET /threads/{thread_id}/runs'),
  ownRule('auth.scope.own-assistant', 'GET /assistants/{assistant_id}'),
  rule('auth.scope.both-ways', {
    each: foreign,
    when: ({ exchange, created, isCrowded }) =>
      exchange.url.includes('/threads/') && created.user === 'bob' && !isCrowded,
    guard: ({ operation }, model) => leakOf(model, operation),
    holds: hidden,
  }),
  rule('auth.scope.side-by-side', {
    each: crowdedReads,
    guard: (_, model) => leakOf(model, readState) ?? hiddenFromOwner(model),
    holds: ({ exchange, leak, missing }) =>
      verify(
        leak.length + missing.length === 0,
        'a state that two users read at the same time',
        missing.length > 0 ? `one with ${show(missing)}` : 'one without data of the other user',
        shown(exchange),
      ),
  }),
  ...rules(threadLists, {
    'auth.scope.thread-list': ({ leak }) =>
      verify(leak.length === 0, 'the list of threads', 'no thread of another user', show(leak)),
  }),
  ...rules(searches, {
    'auth.scope.assistant-search': ({ leak }) =>
      verify(leak.length === 0, 'a search', 'no assistant of another user', show(leak)),
  }),
  ...rules(searchesAgain, {
    'auth.scope.own-assistant-found': ({ ids, id }) =>
      verify(ids.has(id), "a search for the user's own assistant", `${id} on one of the pages`, 'pages without it'),
  }),
]
