import type { RequirementId } from '../../catalog/generated/ids.ts'
import { type Mismatch, type Rule, rule, rules, verify } from '../../evaluate/rule.ts'
import { at, listAt, show } from '../../harness/json.ts'
import { type DeploymentModel, keyOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Operation } from '../../model/operations.ts'
import { nameOf, shown } from '../common.ts'
import { type Round, rounds } from './assistant-search.ts'
import { createdAssistants } from './assistants.ts'
import { type Look, looks, ownerOf, resources } from './visits.ts'

const createRun = 'POST /threads/{thread_id}/runs'
const listRuns = 'GET /threads/{thread_id}/runs'
const readRun = 'GET /threads/{thread_id}/runs/{run_id}'
const readState = 'GET /threads/{thread_id}/state'
const readAssistant = 'GET /assistants/{assistant_id}'

const isEndUser = ({ user }: Exchange): boolean => user === 'alice' || user === 'bob'

/** Whether a request is one of an end user about a resource of a certain one. */
const isAbout =
  (owner: 'alice' | 'bob') =>
  ({ exchange, created, isOwn, control, received }: Look): boolean =>
    !isOwn && created.user === owner && isEndUser(exchange) && (control !== undefined || received.length > 0)

const isAboutFirst = isAbout('alice')
const isAboutSecond = isAbout('bob')

/** Whether a user has access to the resources of all users: anyone in an open deployment, and developers. */
function seesAll({ endpoint }: DeploymentModel, { user, intent }: Exchange): boolean {
  return intent === 'documented' && (endpoint.profile === 'open' || user === 'studio')
}

const missingIn = ({ expected, received }: Look): readonly string[] =>
  expected.filter((mark) => !received.includes(mark))

const shows = (look: Look): Mismatch | undefined => {
  const { exchange } = look
  const missing = missingIn(look)
  return verify(
    missing.length === 0,
    `the response to ${nameOf(exchange)}`,
    `one with ${show(missing)}`,
    shown(exchange),
  )
}

const hides = ({ exchange, received }: Look): Mismatch | undefined =>
  verify(
    received.length === 0,
    `the response to ${nameOf(exchange)} about a resource of another user`,
    'one without data of that user',
    shown(exchange),
  )

/** Creates a rule: users who see all see what the owner saw. */
function sharedRule(requirement: RequirementId, operation: Operation): Rule<DeploymentModel> {
  return rule(requirement, {
    each: looks,
    when: ({ exchange, isOwn, expected }, model) =>
      exchange.operation === operation && !isOwn && seesAll(model, exchange) && expected.length > 0,
    evaluate: shows,
  })
}

/** Creates a rule: users who see all create runs on threads of other users. */
function sharedCreationRule(requirement: RequirementId): Rule<DeploymentModel> {
  return rule(requirement, {
    each: looks,
    when: ({ exchange, isOwn, control }, model) =>
      exchange.operation === createRun &&
      at(exchange.request, 'multitask_strategy') === 'enqueue' &&
      !isOwn &&
      seesAll(model, exchange) &&
      control !== undefined,
    evaluate: ({ exchange, received }) =>
      verify(received.length > 0, `the response to ${nameOf(exchange)}`, 'a run', shown(exchange)),
  })
}

/** Creates a rule: owners still see what they saw before another user tried to. */
function ownRule(requirement: RequirementId, operation: Operation): Rule<DeploymentModel> {
  return rule(requirement, {
    each: looks,
    when: (look) => isOwnAgain(look) && look.exchange.operation === operation && !look.isCrowded,
    evaluate: shows,
  })
}

const isOwnAgain = ({ created, isOwn, expected }: Look): boolean => isOwn && isEndUser(created) && expected.length > 0

/** Requirements that hide the first user's resources from the second user, by operation. */
const scoped: Readonly<Partial<Record<Operation, RequirementId>>> = {
  [readState]: 'auth.scope.state',
  [listRuns]: 'auth.scope.run-list',
  [readRun]: 'auth.scope.run-get',
  'GET /threads/{thread_id}/runs/{run_id}/join': 'auth.scope.run-join',
  [createRun]: 'auth.scope.run-create',
  'POST /threads/{thread_id}/runs/stream': 'auth.scope.run-stream',
  [readAssistant]: 'auth.scope.assistant-get',
}

const scopedRules = Object.entries(scoped).map(([operation, requirement]) =>
  rule(requirement, {
    each: looks,
    when: (look) => look.exchange.operation === operation && isAboutFirst(look) && !look.isCrowded,
    evaluate: hides,
  }),
)

/** Returns the requirement that an operation fails because it shows the first user's data to the second user. */
function leakOf(model: DeploymentModel, operation: Operation | undefined): RequirementId | undefined {
  const isLeak = (look: Look) => isAboutFirst(look) && !look.isCrowded && look.received.length > 0
  const isOpen = select(model, looks).some((look) => look.exchange.operation === operation && isLeak(look))
  return isOpen && operation ? scoped[operation] : undefined
}

/** Returns the requirement that reads of states fail also if no other user reads at the same time. */
function brokenAlone(model: DeploymentModel): RequirementId | undefined {
  const alone = select(model, looks).filter((look) => look.exchange.operation === readState && !look.isCrowded)
  if (alone.some((look) => isOwnAgain(look) && missingIn(look).length > 0)) return 'auth.scope.own-state'
  const isLeak = alone.some((look) => isAboutSecond(look) && look.received.length > 0)
  return leakOf(model, readState) ?? (isLeak ? 'auth.scope.both-ways' : undefined)
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

/** Searches with the assistants of other users that their creators found before. */
function* searches(model: DeploymentModel) {
  for (const round of select(model, rounds)) {
    const found = [...createdAssistants(model)].filter(([id, creation]) => isFoundBefore(model, round, id, creation))
    const listed = found.flatMap(([id]) => (round.ids.has(id) ? [id] : []))
    // Assistants of other scenarios may move between pages.
    const own = found.filter(([, { scenario }]) => scenario === round.exchange.scenario)
    const missing = own.flatMap(([id]) => (round.ids.has(id) ? [] : [id]))
    const setup = [...found.slice(-3).map(([, creation]) => creation), ...round.pages]
    if (found.length > 0) yield { ...round, setup, own, listed, missing }
  }
}

function isFoundBefore(model: DeploymentModel, { exchange, pages }: Round, id: string, creation: Exchange): boolean {
  const owner = ownerOf(model, creation)
  const start = (pages[0] ?? exchange).sentAt
  const isBefore = (other: Round) => other.exchange.endedAt <= start && ownerOf(model, other.exchange) === owner
  if (owner === ownerOf(model, exchange)) return false
  return select(model, rounds).some((other) => other.ids.has(id) && isBefore(other))
}

/** Creates a rule: users who see all find the assistants of other users. */
function sharedSearchRule(requirement: RequirementId): Rule<DeploymentModel> {
  return rule(requirement, {
    each: searches,
    when: ({ exchange, own, missing, isWhole }, model) =>
      seesAll(model, exchange) && own.length > 0 && (missing.length === 0 || isWhole),
    evaluate: ({ missing }) =>
      verify(missing.length === 0, 'all pages of the search', show(missing), 'pages without them'),
  })
}

/** Searches by owners after the other end user has tried to see an assistant. */
function* searchesAgain(model: DeploymentModel) {
  for (const { created, visits } of select(model, resources)) {
    const [id, visit] = [keyOf(at(created.json, 'assistant_id')), visits.find(isEndUser)]
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
export const authAccessRules: readonly Rule<DeploymentModel>[] = [
  sharedRule('auth.none.threads', readState),
  sharedRule('auth.none.runs', listRuns),
  sharedRule('auth.none.assistants', readAssistant),
  sharedCreationRule('auth.none.run-create'),
  sharedSearchRule('auth.none.assistant-search'),
  sharedRule('auth.studio.state', readState),
  sharedRule('auth.studio.run-list', listRuns),
  sharedRule('auth.studio.run-get', readRun),
  sharedRule('auth.studio.assistant-get', readAssistant),
  sharedCreationRule('auth.studio.run-create'),
  sharedSearchRule('auth.studio.assistant-search'),
  ownRule('auth.scope.own-state', readState),
  ownRule('auth.scope.own-runs', listRuns),
  ownRule('auth.scope.own-assistant', readAssistant),
  ...scopedRules,
  rule('auth.scope.both-ways', {
    each: looks,
    when: (look) => look.exchange.url.includes('/threads/') && isAboutSecond(look) && !look.isCrowded,
    guard: ({ exchange }, model) => leakOf(model, exchange.operation),
    evaluate: hides,
  }),
  rule('auth.scope.side-by-side', {
    each: looks,
    when: (look) =>
      look.isCrowded &&
      look.exchange.operation === readState &&
      (isAboutFirst(look) || isAboutSecond(look) || isOwnAgain(look)),
    guard: (_, model) => brokenAlone(model),
    evaluate: (look) => (look.isOwn ? shows(look) : hides(look)),
  }),
  ...rules(threadLists, {
    'auth.scope.thread-list': ({ leak }) =>
      verify(leak.length === 0, 'the list of threads', 'no thread of another user', show(leak)),
  }),
  ...rules(searches, {
    'auth.scope.assistant-search': ({ exchange, listed, isWhole }) =>
      isEndUser(exchange) &&
      (isWhole || listed.length > 0) &&
      verify(listed.length === 0, 'a search', 'no assistant of another user', show(listed)),
  }),
  ...rules(searchesAgain, {
    'auth.scope.own-assistant-found': ({ ids, id }) =>
      verify(ids.has(id), "a search for the user's own assistant", `${id} on one of the pages`, 'pages without it'),
  }),
]
