import type { RequirementId } from '../../catalog/generated/ids.ts'
import { type DeploymentModel, keyOf } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { createRun, type Operation, streamRun } from '../../model/operations.ts'
import { at, show } from '../../values/json.ts'
import { asUser, nameOf, statusAndBody } from '../common.ts'
import { firstThree, type ItemOf, type Mismatch, mismatch, type Rule, rules, verify, verifyIncludes } from '../rule.ts'
import { pagedSearches } from './assistant-search.ts'
import { createdAssistants } from './assistants.ts'
import { isEndUser, otherUserFailure } from './auth-user.ts'
import { type Access, accesses, ownerOf, resources } from './resource-access.ts'

const listRuns = 'GET /threads/{thread_id}/runs'
const readRun = 'GET /threads/{thread_id}/runs/{run_id}'
const joinRun = 'GET /threads/{thread_id}/runs/{run_id}/join'
const readState = 'GET /threads/{thread_id}/state'
const readAssistant = 'GET /assistants/{assistant_id}'

/** Whether one end user sends a request about a resource of the other one, who is `owner`. */
const isAbout =
  (owner: 'alice' | 'bob') =>
  ({ exchange, creation, isOwn, control, received }: Access): boolean =>
    !isOwn && creation.user === owner && isEndUser(exchange) && (control !== undefined || received.length > 0)

const isAboutFirst = isAbout('alice')
const isAboutSecond = isAbout('bob')

/** Whether a user has access to the resources of all users: any user of an open deployment, and developers. */
function seesAll({ endpoint }: DeploymentModel, { user, intent }: Exchange): boolean {
  return intent === 'documented' && (endpoint.profile === 'open' || user === 'studio')
}

const missingIn = ({ expected, received }: Access): readonly string[] =>
  expected.filter((value) => !received.includes(value))

/** Says whose request it is, and about whose resource. */
const nameOfAccess = ({ exchange, isOwn }: Pick<Access, 'exchange' | 'isOwn'>): string => {
  if (isOwn) return `${nameOf(exchange)} by the owner after a request of another user`
  const who = exchange.user === 'studio' ? asUser(exchange) : ''
  return `${nameOf(exchange)}${who} about a resource of another user`
}

const verifyShown = (access: Access): Mismatch | undefined => {
  const { exchange } = access
  if (!exchange.accepted)
    return mismatch(
      `the response to ${nameOfAccess(access)}`,
      'a 2xx response, as for its owner before',
      statusAndBody(exchange),
    )
  const missing = missingIn(access)
  return verifyIncludes(
    missing.length === 0,
    `the response to ${nameOfAccess(access)}`,
    `${show(missing)}, which its owner has seen before`,
    statusAndBody(exchange),
  )
}

const verifyHidden = (access: Access): Mismatch | undefined =>
  verify(
    access.received.length === 0,
    `the response to ${nameOfAccess(access)}`,
    'without data of that user',
    `${access.exchange.status} with ${show(access.received)}`,
  )

/** Verifies that a user with access to all resources sees what the owner of a resource saw. */
const verifyShared = (operation: Operation) => (access: Access, model: DeploymentModel) =>
  access.exchange.operation === operation &&
  !access.isOwn &&
  seesAll(model, access.exchange) &&
  access.expected.length > 0 &&
  verifyShown(access)

/** Verifies that a user with access to all resources creates a run on a thread of another user. */
function verifySharedCreation(access: Access, model: DeploymentModel): Mismatch | undefined | false {
  const { exchange, isOwn, control, received } = access
  const isQueued = exchange.operation === createRun && at(exchange.request, 'multitask_strategy') === 'enqueue'
  if (!isQueued || isOwn || !seesAll(model, exchange) || control === undefined) return false
  return verify(received.length > 0, `the response to ${nameOfAccess(access)}`, 'a run', statusAndBody(exchange))
}

/** Verifies that a user with access to all resources may send a request, whose response has no specified content. */
const verifyAccepted = (operation: Operation) => (access: Access, model: DeploymentModel) =>
  access.exchange.operation === operation &&
  !access.isOwn &&
  seesAll(model, access.exchange) &&
  access.control !== undefined &&
  verify(
    access.exchange.accepted,
    `the response to ${nameOfAccess(access)}`,
    'a 2xx response',
    statusAndBody(access.exchange),
  )

/** Verifies that owners still see their resource after a request of another user about it. */
const verifyOwn = (operation: Operation) => (access: Access) =>
  isOwnAgain(access) && access.exchange.operation === operation && !access.isConcurrent && verifyShown(access)

const isOwnAgain = ({ creation, isOwn, expected }: Access): boolean =>
  isOwn && isEndUser(creation) && expected.length > 0

/** Requirements that hide the first user's resources from the second user, by operation. */
const scoped: Readonly<Partial<Record<Operation, RequirementId>>> = {
  [readState]: 'auth.scope.state',
  [listRuns]: 'auth.scope.run-list',
  [readRun]: 'auth.scope.run-get',
  [joinRun]: 'auth.scope.run-join',
  [createRun]: 'auth.scope.run-create',
  [streamRun]: 'auth.scope.run-stream',
  [readAssistant]: 'auth.scope.assistant-get',
}

const verifyScoped = (operation: string) => (access: Access, model: DeploymentModel) =>
  access.exchange.operation === operation &&
  isAboutFirst(access) &&
  !access.isConcurrent &&
  (otherUserFailure(access, model) ?? verifyHidden(access))

/** Returns the requirement that an operation fails because it shows the first user's data to the second user. */
function leakOf(model: DeploymentModel, operation: Operation | undefined): RequirementId | undefined {
  return operation && derive(model, leaking).has(operation) ? scoped[operation] : undefined
}

/** The operations that show the first user's data to the second user. */
function leaking(model: DeploymentModel): ReadonlySet<Operation | undefined> {
  const isLeak = (access: Access) => isAboutFirst(access) && !access.isConcurrent && access.received.length > 0
  const leaks = select(model, accesses).filter(isLeak)
  return new Set(leaks.map(({ exchange }) => exchange.operation))
}

/** Returns the requirement that reads of states fail even if no other user reads at the same time. */
function failedBySingleReads(model: DeploymentModel): RequirementId | undefined {
  const single = select(model, accesses).filter(
    (access) => access.exchange.operation === readState && !access.isConcurrent,
  )
  if (single.some((access) => isOwnAgain(access) && missingIn(access).length > 0)) return 'auth.scope.own-state'
  const isLeak = single.some((access) => isAboutSecond(access) && access.received.length > 0)
  return leakOf(model, readState) ?? (isLeak ? 'auth.scope.both-ways' : undefined)
}

/** Responses to GET /threads, in any form, that an end user receives after the other one has created threads. */
function* threadLists(model: DeploymentModel) {
  const creations = model.of('POST /threads').filter(isEndUser)
  const lists = model.of('GET /threads').filter(isEndUser)
  // All strings and keys: the form of the list is unspecified.
  const textsOf = ({ json }: Exchange) =>
    new Set(
      JSON.stringify(json ?? null)
        .toLowerCase()
        .split('"'),
    )
  const shown = lists.map((exchange) => {
    const texts = textsOf(exchange)
    return { exchange, listed: creations.filter(({ json }) => texts.has(keyOf(at(json, 'thread_id')) ?? '')) }
  })
  // A server may list no threads at all.
  if (shown.every(({ listed }) => listed.length === 0)) return
  for (const { exchange, listed } of shown) {
    const others = creations.filter(({ user, endedAt }) => user !== exchange.user && endedAt <= exchange.sentAt)
    const leak = listed.filter(({ user }) => user !== exchange.user)
    if (others.length > 0) yield { exchange, setup: [leak.at(-1) ?? others.at(-1)], leak }
  }
}

/** Searches, with the assistants of other users that their creators found before. */
function* searches(model: DeploymentModel) {
  const all = select(model, foundAssistants)
  for (const paged of select(model, pagedSearches)) {
    const [start, owner] = [(paged.pages[0] ?? paged.exchange).sentAt, ownerOf(model, paged.exchange)]
    const found = all.filter(({ foundAt, creation }) => foundAt <= start && ownerOf(model, creation) !== owner)
    const listed = found.flatMap(({ id }) => (paged.ids.has(id) ? [id] : []))
    // Assistants of other scenarios may move between pages.
    const own = found.filter(({ creation }) => creation.scenario === paged.exchange.scenario)
    const missing = own.flatMap(({ id }) => (paged.ids.has(id) ? [] : [id]))
    const setup = [...found.slice(-3).map(({ creation }) => creation), ...paged.setup]
    if (found.length > 0) yield { ...paged, setup, own, listed, missing }
  }
}

/** The created assistants that a search of their creators contains, with the end of the first one. */
function* foundAssistants(model: DeploymentModel) {
  const ends = new Map<string, number>()
  for (const { exchange, ids } of select(model, pagedSearches)) {
    for (const id of ids) {
      const creation = createdAssistants(model).get(id ?? '')
      if (id === undefined || creation === undefined || ownerOf(model, creation) !== ownerOf(model, exchange)) continue
      ends.set(id, Math.min(ends.get(id) ?? Infinity, exchange.endedAt))
    }
  }
  for (const [id, creation] of createdAssistants(model)) {
    const foundAt = ends.get(id)
    if (foundAt !== undefined) yield { id, creation, foundAt }
  }
}

/** Verifies that a user with access to all resources finds the assistants of other users. */
function verifySharedSearch({ exchange, own, missing, isComplete }: ItemOf<typeof searches>, model: DeploymentModel) {
  if (!seesAll(model, exchange) || own.length === 0 || (missing.length > 0 && !isComplete)) return false
  const who = exchange.user === 'studio' ? 'the user of the development UI' : 'another user'
  const name = `all pages of a search by ${who}`
  return verifyIncludes(missing.length === 0, name, `the assistants ${show(missing)}`, 'pages without them')
}

/** Searches by owners after the other end user has tried to see an assistant. */
function* searchesAgain(model: DeploymentModel) {
  const byUser = Map.groupBy(select(model, pagedSearches), ({ exchange }) => exchange.user)
  for (const { creation, byOthers } of select(model, resources)) {
    const [id, attempt] = [keyOf(at(creation.json, 'assistant_id')), byOthers.find(isEndUser)]
    if (id === undefined || attempt === undefined) continue
    const own = byUser.get(creation.user) ?? []
    const before = own.find(({ exchange, ids }) => exchange.endedAt <= attempt.sentAt && ids.has(id))
    for (const paged of before === undefined ? [] : own) {
      const [first] = paged.pages
      if (first === undefined || first.sentAt < attempt.endedAt || !(paged.isComplete || paged.ids.has(id))) continue
      yield { ...paged, setup: [creation, before?.exchange, attempt, ...paged.setup], id }
    }
  }
}

/** Rules about what users see of the resources of other users, and of their own. */
export const authAccessRules: readonly Rule<DeploymentModel>[] = [
  ...rules(accesses, {
    'auth.none.threads': verifyShared(readState),
    'auth.none.runs': verifyShared(listRuns),
    'auth.none.assistants': verifyShared(readAssistant),
    'auth.none.run-get': verifyShared(readRun),
    'auth.none.run-join': verifyAccepted(joinRun),
    'auth.none.run-create': verifySharedCreation,
    'auth.none.run-stream': verifyAccepted(streamRun),
    'auth.studio.state': verifyShared(readState),
    'auth.studio.run-list': verifyShared(listRuns),
    'auth.studio.run-get': verifyShared(readRun),
    'auth.studio.assistant-get': verifyShared(readAssistant),
    'auth.studio.run-join': verifyAccepted(joinRun),
    'auth.studio.run-create': verifySharedCreation,
    'auth.studio.run-stream': verifyAccepted(streamRun),
    'auth.scope.own-state': verifyOwn(readState),
    'auth.scope.own-runs': verifyOwn(listRuns),
    'auth.scope.own-assistant': verifyOwn(readAssistant),
    ...Object.fromEntries(Object.entries(scoped).map(([operation, id]) => [id, verifyScoped(operation)])),
    'auth.scope.both-ways': (access, model) =>
      isAboutSecond(access) &&
      !access.isConcurrent &&
      (leakOf(model, access.exchange.operation) ?? verifyHidden(access)),
    'auth.scope.side-by-side': (access, model) => {
      const isEither = isAboutFirst(access) || isAboutSecond(access) || isOwnAgain(access)
      if (!access.isConcurrent || access.exchange.operation !== readState || !isEither) return false
      return derive(model, failedBySingleReads) ?? (access.isOwn ? verifyShown(access) : verifyHidden(access))
    },
  }),
  ...rules(searches, {
    'auth.none.assistant-search': verifySharedSearch,
    'auth.studio.assistant-search': verifySharedSearch,
  }),
  ...rules(
    threadLists,
    {
      'auth.scope.thread-list': ({ leak }) =>
        verify(
          leak.length === 0,
          'the list of threads',
          'without threads of other users',
          show(leak.map(({ user, json }) => `${at(json, 'thread_id')} of ${user}`)),
        ),
    },
    otherUserFailure,
  ),
  ...rules(
    searches,
    {
      'auth.scope.assistant-search': ({ exchange, listed, isComplete }) =>
        isEndUser(exchange) &&
        (isComplete || listed.length > 0) &&
        verify(listed.length === 0, 'a search by one user', 'without assistants of other users', firstThree(listed)),
    },
    otherUserFailure,
  ),
  ...rules(searchesAgain, {
    'auth.scope.own-assistant-found': ({ ids, id }) =>
      verifyIncludes(ids.has(id), 'all pages of a search by the owner', `the assistant ${id}`, 'pages without it'),
  }),
]
