import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import {
  type DeploymentModel,
  keyOf,
  type Run,
  returnedEarlier,
  type Thread,
  threadOf,
  threadStates,
} from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import { concurrencyOf, type Exchange } from '../../model/exchange.ts'
import { testGraphOf } from '../../model/graphs.ts'
import { createRun, type Operation, streamRun } from '../../model/operations.ts'
import { hadEnded, writerOf } from '../../model/run-ends.ts'
import { at, listAt, parseJson, show, textAt } from '../../values/json.ts'
import { textOf } from '../../values/messages.ts'
import { isMissing, statusAndBody } from '../common.ts'
import {
  type Case,
  type CauseOf,
  equal,
  failureOf,
  type Mismatch,
  type Rule,
  rule,
  rules,
  type Subject,
  verify,
  verifyIncludes,
} from '../rule.ts'
import { createdAssistants } from './assistants.ts'

type Endpoint = DeploymentModel['endpoint']

export const isEndUser = ({ user }: Exchange): boolean => user === 'alice' || user === 'bob'

/** The user object that a run of the graph `whoami` received. */
interface ReceivedUser extends Subject {
  readonly run: Run
  /** Who created the run. */
  readonly user: string
  readonly userObject: unknown
  readonly isStreamed: boolean
}

/** Returns the run that was created last on a thread, if all its runs had ended before a read. */
function lastRun({ runs, runCreations, hasUnknownEffects }: Thread, { sentAt, endedAt }: Exchange): Run | undefined {
  if (hasUnknownEffects || runCreations.length > runs.length) return undefined
  const created = runs.filter(({ creation }) => creation.sentAt < endedAt)
  return created.every((run) => hadEnded(run, sentAt)) ? created.at(-1) : undefined
}

/** The user objects that runs of `whoami` received, from the states that show them. */
function* receivedUsers(model: DeploymentModel): Iterable<ReceivedUser> {
  if (model.endpoint.profile !== 'custom-auth') return
  for (const { exchange, thread } of select(model, threadStates)) {
    const run = writerOf(thread, exchange) ?? lastRun(thread, exchange)
    if (run === undefined || testGraphOf(model, run.creation) !== 'whoami') continue
    const messages = listAt(exchange.json, 'values', 'messages').map((message) => parseJson(textOf(message) ?? ''))
    const output = messages.findLast((message) => isObject(message) && 'configurable' in message)
    const isStreamed = run.creation.operation === streamRun
    const { user } = run.creation
    if (output !== undefined)
      yield { exchange, setup: [run.creation], run, user, userObject: at(output, 'user'), isStreamed }
  }
}

function hasIdentity({ users }: Endpoint, { user, userObject }: ReceivedUser): boolean {
  const [expected, identity] = [users?.[user]?.identity, at(userObject, 'identity')]
  return expected === undefined ? typeof identity === 'string' && identity !== '' : identity === expected
}

/** The custom fields that the user object must contain. */
function fieldsOf({ users }: Endpoint, { user }: ReceivedUser): readonly (readonly [string, unknown])[] {
  return Object.entries(users?.[user]?.fields ?? {})
}

function hasFields(endpoint: Endpoint, received: ReceivedUser): boolean {
  return fieldsOf(endpoint, received).every(([name, value]) => isDeepStrictEqual(at(received.userObject, name), value))
}

/** Whether the graph received the user who created the run. */
function isCorrect({ endpoint }: DeploymentModel, received: ReceivedUser): boolean {
  return isObject(received.userObject) && hasIdentity(endpoint, received) && hasFields(endpoint, received)
}

/** Whether another user had a run of `whoami` between the creation of the run and the read of the state. */
function isConcurrent(model: DeploymentModel, received: ReceivedUser): boolean {
  return derive(model, concurrentUsers).has(received)
}

function concurrentUsers(model: DeploymentModel): ReadonlySet<ReceivedUser> {
  const all = select(model, receivedUsers).map((received) => ({
    received,
    sentAt: received.run.creation.sentAt,
    endedAt: received.exchange.endedAt,
  }))
  const concurrentWith = concurrencyOf(all)
  const isBesideOther = (each: (typeof all)[number]) =>
    concurrentWith(each).some(({ received }) => received.user !== each.received.user)
  return new Set(all.filter(isBesideOther).map(({ received }) => received))
}

/** Whether a run received another user, perhaps that of a concurrent run: another run of its creator received the right user. */
function mayBeMixedUp(model: DeploymentModel, received: ReceivedUser): boolean {
  const isCorrectElsewhere = (other: ReceivedUser) => other.user === received.user && isCorrect(model, other)
  return (
    isObject(received.userObject) &&
    !isCorrect(model, received) &&
    isConcurrent(model, received) &&
    select(model, receivedUsers).some(isCorrectElsewhere)
  )
}

/** Whether alice created the run, without a stream, and it does not show the user of a concurrent run. */
function isPlain(model: DeploymentModel, received: ReceivedUser): boolean {
  return received.user === 'alice' && !received.isStreamed && !mayBeMixedUp(model, received)
}

/** Returns the requirement that a plain run of alice fails. */
function failedByPlainRuns(model: DeploymentModel): RequirementId | undefined {
  const wrong = select(model, receivedUsers).find((received) => isPlain(model, received) && !isCorrect(model, received))
  if (wrong === undefined) return undefined
  if (!isObject(wrong.userObject)) return 'auth.user.placed'
  return hasIdentity(model.endpoint, wrong) ? 'auth.user.custom-fields' : 'auth.user.identity'
}

/** Returns the requirement that all runs of bob fail. */
function failedBySecondUser(model: DeploymentModel): RequirementId | undefined {
  const second = select(model, receivedUsers).filter(({ user }) => user === 'bob')
  const isFailed = second.length > 0 && !second.some((received) => isCorrect(model, received))
  return isFailed ? 'auth.user.second-user' : undefined
}

function verifyUser(
  name: string,
  condition: boolean,
  received: ReceivedUser,
  { endpoint }: DeploymentModel,
): Mismatch | undefined {
  const { identity, fields } = endpoint.users?.[received.user] ?? {}
  const { userObject } = received
  const differing = Object.entries({ identity, ...fields }).filter(
    ([key, value]) => !isDeepStrictEqual(at(userObject, key), value),
  )
  const expected = `at least ${show(Object.fromEntries(differing))}`
  const shown = Object.fromEntries(differing.map(([key]) => [key, at(userObject, key)]))
  return verify(condition, name, expected, show(isObject(userObject) ? shown : userObject))
}

/** Creates a rule: the graph receives the user who created the run. */
function userRule(
  requirement: RequirementId,
  when: (received: ReceivedUser, model: DeploymentModel) => boolean,
  blockedBy: CauseOf<DeploymentModel> = () => undefined,
): Rule<DeploymentModel> {
  return rule(requirement, {
    each: receivedUsers,
    when,
    evaluate: (received, model) =>
      derive(model, failedByPlainRuns) ??
      blockedBy(received, model) ??
      verifyUser(`the user object that a run of ${received.user} sees`, isCorrect(model, received), received, model),
  })
}

const headerNames = ({ userObject }: ReceivedUser): readonly string[] => listAt(userObject, 'header_names').map(String)

/** The header with which scenarios test that the handler receives all headers. */
const probeHeader = 'x-touchstone-probe'

function sendsProbe({ run }: ReceivedUser): boolean {
  return Object.keys(run.creation.requestHeaders).some((name) => name.toLowerCase() === probeHeader)
}

/** Creations of threads with a bearer token. */
function* bearerRequests({ attempts, endpoint }: DeploymentModel): Iterable<Subject> {
  for (const exchange of attempts('POST /threads')) {
    const isBearer = endpoint.users?.[exchange.user]?.sendsBearer === true
    if (isBearer && 'authorization' in lowerCased(exchange.requestHeaders)) yield { exchange }
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Whether the user who sent a request created the resource that its response shows. */
function isCreator(model: DeploymentModel, { method, params, json, user }: Exchange): boolean {
  if (method === 'POST' || createdAssistants(model).get(keyOf(at(json, 'assistant_id')) ?? '')?.user === user)
    return true
  return model.runs.get(keyOf(params['run_id']) ?? '')?.creation.user === user
}

/** Responses that show alice or bob their own resource. An authorization handler adds the owner to its `metadata`. */
function ownResources(...operations: readonly Operation[]) {
  return function* (model: DeploymentModel) {
    for (const exchange of operations.flatMap((operation) => model.of(operation))) {
      if (returnedEarlier(model, exchange) && exchange.operation === createRun) continue
      if (isCreator(model, exchange) && isEndUser(exchange) && isObject(exchange.json))
        yield { exchange, user: exchange.user, metadata: at(exchange.json, 'metadata') }
    }
  }
}

interface OwnResource {
  readonly user: string
  readonly metadata: unknown
}

const verifyOwner = ({ user, metadata }: OwnResource): Mismatch | undefined =>
  verify(
    textAt(metadata, 'owner') !== undefined,
    `\`metadata\` of what ${user} created`,
    'an object with the `owner` that the handler wrote',
    metadata,
  )

/** Verifies that there is an owner; if the configuration contains the identity of the user, the owner must be equal. */
const verifyIdentity = ({ user, metadata }: OwnResource, { endpoint }: DeploymentModel): Mismatch | undefined => {
  const [owner, identity] = [textAt(metadata, 'owner'), endpoint.users?.[user]?.identity]
  if (owner === undefined || identity === undefined) return verifyOwner({ user, metadata })
  return equal(`the owner of what ${user} created`, owner, identity)
}

const createdThreads = ownResources('POST /threads')

const contextUserRules = rules(createdThreads, {
  'auth.authz.context-user': ({ user, metadata }, { endpoint }) => {
    const [owner, identity] = [textAt(metadata, 'owner'), endpoint.users?.[user]?.identity]
    return owner !== undefined && identity !== undefined && equal(`the owner of a thread of ${user}`, owner, identity)
  },
})

/** Returns the requirement that fails if the server takes another user for the owner. */
export const otherUserFailure = failureOf(contextUserRules, ({ subject: { exchange } }, { endpoint }) =>
  Object.entries(endpoint.users ?? {}).some(
    ([name, { identity }]) => name !== exchange.user && identity === at(exchange.json, 'metadata', 'owner'),
  ),
)

/** Returns the requirement that fails if threads have another owner, of a response that hides one from its creator. */
export function hiddenThread(failing: Case, model: DeploymentModel): RequirementId | undefined {
  const { exchange } = failing.subject
  const isAboutThread = isMissing(exchange) && threadOf(model, exchange)?.creation?.user === exchange.user
  return isAboutThread ? otherUserFailure(failing, model) : undefined
}

/** Rules about the headers that handlers receive, the user that graphs receive, and the owner of resources. */
export const authUserRules: readonly Rule<DeploymentModel>[] = [
  ...rules(receivedUsers, {
    'auth.user.placed': (received, model) =>
      isPlain(model, received) &&
      verifyUser('the user object in the config of the graph', isObject(received.userObject), received, model),
    'auth.user.identity': (received, model) =>
      isPlain(model, received) &&
      isObject(received.userObject) &&
      verifyUser('the user object that the graph sees', hasIdentity(model.endpoint, received), received, model),
    'auth.user.custom-fields': (received, model) =>
      isPlain(model, received) &&
      isObject(received.userObject) &&
      fieldsOf(model.endpoint, received).length > 0 &&
      verifyUser('the user object that the graph sees', hasFields(model.endpoint, received), received, model),
    'auth.handler.receives-headers': (received, { endpoint }) => {
      const names = headerNames(received)
      // The headers of another user are those of another request.
      if (names.length === 0 || !sendsProbe(received) || !hasIdentity(endpoint, received)) return false
      const isReceived = names.some((name) => name.toLowerCase() === probeHeader)
      return verifyIncludes(isReceived, 'the header names that the handler received', probeHeader, names)
    },
    'auth.handler.lower-cased': (received) => {
      const names = headerNames(received)
      const isLower = names.every((name) => name === name.toLowerCase())
      return names.length > 0 && verify(isLower, 'the header names that the handler received', 'lower case', names)
    },
  }),
  userRule('auth.user.streamed-run', ({ user, isStreamed }) => user === 'alice' && isStreamed),
  userRule(
    'auth.user.second-user',
    (received, model) => received.user === 'bob' && !mayBeMixedUp(model, received),
    otherUserFailure,
  ),
  userRule(
    'auth.user.side-by-side',
    // Whether streams of alice have the right user is a requirement of its own.
    (received, model) => !(received.isStreamed && received.user === 'alice') && isConcurrent(model, received),
    (_, model) => derive(model, failedBySecondUser),
  ),
  ...rules(bearerRequests, {
    'auth.bearer.accepted': ({ exchange }) =>
      verify(exchange.status !== 401, 'the response to a bearer token', 'any status but 401', statusAndBody(exchange)),
  }),
  ...contextUserRules,
  ...rules(createdThreads, { 'auth.authz.thread-metadata': verifyOwner }),
  ...rules(
    ownResources('POST /assistants', 'GET /assistants/{assistant_id}'),
    { 'auth.authz.assistant-metadata': verifyIdentity },
    failureOf(contextUserRules),
  ),
  ...rules(
    ownResources(createRun, 'GET /threads/{thread_id}/runs/{run_id}'),
    { 'auth.authz.run-metadata': verifyIdentity },
    failureOf(contextUserRules),
  ),
]
