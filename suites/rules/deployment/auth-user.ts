import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { equal, type Mismatch, type Rule, rule, rules, type Subject, unless, verify } from '../../evaluate/rule.ts'
import { at, listAt, parseJson, show, textAt } from '../../harness/json.ts'
import { textOf } from '../../harness/messages.ts'
import { type DeploymentModel, keyOf, type Run, threadOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { testGraphOf } from '../../model/graphs.ts'
import type { Operation } from '../../model/operations.ts'
import { writerOf } from '../../model/quiet.ts'
import { shown } from '../common.ts'
import { createdAssistants } from './assistants.ts'

type Endpoint = DeploymentModel['endpoint']

/** The user object that the graph `whoami` saw, with the user who created the run. */
interface Sight extends Subject {
  readonly run: Run
  readonly user: string
  readonly seen: unknown
  readonly isStreamed: boolean
}

/** States that runs of `whoami` left. */
function* sights(model: DeploymentModel): Iterable<Sight> {
  if (model.endpoint.profile !== 'custom-auth') return
  for (const exchange of model.of('GET /threads/{thread_id}/state')) {
    const thread = threadOf(model, exchange)
    const run = thread && writerOf(thread, exchange)
    if (run === undefined || testGraphOf(model, textAt(run.created.request, 'assistant_id')) !== 'whoami') continue
    const messages = listAt(exchange.json, 'values', 'messages').map((message) => parseJson(textOf(message) ?? ''))
    const told = messages.findLast((message) => isObject(message) && 'configurable' in message)
    const isStreamed = run.created.operation === 'POST /threads/{thread_id}/runs/stream'
    const { user } = run.created
    if (told !== undefined) yield { exchange, setup: [run.created], run, user, seen: at(told, 'user'), isStreamed }
  }
}

function hasIdentity({ users }: Endpoint, { user, seen }: Sight): boolean {
  const [expected, identity] = [users?.[user]?.identity, at(seen, 'identity')]
  return expected === undefined ? typeof identity === 'string' && identity !== '' : identity === expected
}

/** The custom fields that the user object must contain. */
function fieldsOf({ users }: Endpoint, { user }: Sight): readonly (readonly [string, unknown])[] {
  return Object.entries(users?.[user]?.fields ?? {})
}

function hasFields(endpoint: Endpoint, sight: Sight): boolean {
  return fieldsOf(endpoint, sight).every(([name, value]) => isDeepStrictEqual(at(sight.seen, name), value))
}

/** Whether the graph saw the user who created the run. */
function isRight({ endpoint }: DeploymentModel, sight: Sight): boolean {
  return isObject(sight.seen) && hasIdentity(endpoint, sight) && hasFields(endpoint, sight)
}

/** Whether another user's run of `whoami` was under way before the state was read. */
function isCrowded(model: DeploymentModel, { run, user, exchange }: Sight): boolean {
  return select(model, sights).some(
    (other) =>
      other.user !== user && other.run.created.sentAt < exchange.endedAt && run.created.sentAt < other.exchange.endedAt,
  )
}

/** Whether the graph saw the right user in other runs, so that another user's run may be the cause of a wrong one. */
function isMixedUp(model: DeploymentModel, sight: Sight): boolean {
  const isRightElsewhere = (other: Sight) => other.user === sight.user && isRight(model, other)
  return !isRight(model, sight) && isCrowded(model, sight) && select(model, sights).some(isRightElsewhere)
}

/** Whether a sight shows what the graph sees of the first user, without a stream and without other users. */
function isPlain(model: DeploymentModel, sight: Sight): boolean {
  return sight.user === 'alice' && !sight.isStreamed && !isMixedUp(model, sight)
}

/** Returns the requirement that plain runs of the first user fail. */
function brokenInPlainRuns(model: DeploymentModel): RequirementId | undefined {
  const wrong = select(model, sights).find((sight) => isPlain(model, sight) && !isRight(model, sight))
  if (wrong === undefined) return undefined
  if (!isObject(wrong.seen)) return 'auth.user.placed'
  return hasIdentity(model.endpoint, wrong) ? 'auth.user.custom-fields' : 'auth.user.identity'
}

/** Returns the requirement that the runs of the second user fail. */
function brokenInSecondRuns(model: DeploymentModel): RequirementId | undefined {
  const second = select(model, sights).filter(({ user }) => user === 'bob')
  return second.length > 0 && !second.some((sight) => isRight(model, sight)) ? 'auth.user.second-user' : undefined
}

function expectUser(name: string, isSeen: boolean, sight: Sight, { endpoint }: DeploymentModel): Mismatch | undefined {
  const { identity, fields } = endpoint.users?.[sight.user] ?? {}
  return verify(isSeen, name, `at least ${show({ identity, ...fields })}`, show(sight.seen))
}

/** Creates a rule: the graph sees the user who created the run. */
function userRule(
  requirement: RequirementId,
  when: (sight: Sight, model: DeploymentModel) => boolean,
  guard: (model: DeploymentModel) => RequirementId | undefined = brokenInPlainRuns,
): Rule<DeploymentModel> {
  return rule(requirement, {
    each: sights,
    when,
    guard: (_, model) => guard(model),
    evaluate: (sight, model) =>
      expectUser(`the user object that a run of ${sight.user} sees`, isRight(model, sight), sight, model),
  })
}

const headerNames = ({ seen }: Sight): readonly string[] => listAt(seen, 'header_names').map(String)

/** The header with which scenarios test that the handler receives all headers. */
const probeHeader = 'x-touchstone-probe'

function sendsProbe({ run }: Sight): boolean {
  return Object.keys(run.created.requestHeaders).some((name) => name.toLowerCase() === probeHeader)
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

/** Whether a request created what its response shows, or a request of the same user did. */
function isCreated(model: DeploymentModel, { method, params, json, user }: Exchange): boolean {
  if (method === 'POST' || createdAssistants(model).get(keyOf(at(json, 'assistant_id')) ?? '')?.user === user)
    return true
  return model.runs.get(keyOf(params['run_id']) ?? '')?.created.user === user
}

/** Resources that end users created or read, with the owner that the authorization handler wrote. */
function owned(...operations: readonly Operation[]) {
  return function* (model: DeploymentModel) {
    for (const exchange of operations.flatMap((operation) => model.of(operation))) {
      const { user } = exchange
      if (isCreated(model, exchange) && (user === 'alice' || user === 'bob') && isObject(exchange.json))
        yield { exchange, user, metadata: at(exchange.json, 'metadata') }
    }
  }
}

const keepsOwner = ({ metadata }: { readonly metadata: unknown }): Mismatch | undefined =>
  verify(
    textAt(metadata, 'owner') !== undefined,
    '`metadata`',
    'an object with the `owner` that the handler wrote',
    metadata,
  )

/** Expects the owner, and the right one if the configuration says which. */
const keepsIdentity = (
  { user, metadata }: { readonly user: string; readonly metadata: unknown },
  { endpoint }: DeploymentModel,
): Mismatch | undefined => {
  const [owner, identity] = [textAt(metadata, 'owner'), endpoint.users?.[user]?.identity]
  if (owner === undefined || identity === undefined) return keepsOwner({ metadata })
  return equal(`the owner of what ${user} created`, owner, identity)
}

const createdThreads = owned('POST /threads')

const contextUser = rules(createdThreads, {
  'auth.authz.context-user': ({ user, metadata }, { endpoint }) => {
    const [owner, identity] = [textAt(metadata, 'owner'), endpoint.users?.[user]?.identity]
    return owner !== undefined && identity !== undefined && equal(`the owner of a thread of ${user}`, owner, identity)
  },
})

/** Rules about what handlers receive, and about what graphs and resources show of the user. */
export const authUserRules: readonly Rule<DeploymentModel>[] = [
  ...rules(sights, {
    'auth.user.placed': (sight, model) =>
      isPlain(model, sight) &&
      expectUser('the user object in the config of the graph', isObject(sight.seen), sight, model),
    'auth.user.identity': (sight, model) =>
      isPlain(model, sight) &&
      isObject(sight.seen) &&
      expectUser('the user object that the graph sees', hasIdentity(model.endpoint, sight), sight, model),
    'auth.user.custom-fields': (sight, model) =>
      isPlain(model, sight) &&
      isObject(sight.seen) &&
      fieldsOf(model.endpoint, sight).length > 0 &&
      expectUser('the user object that the graph sees', hasFields(model.endpoint, sight), sight, model),
    'auth.handler.receives-headers': (sight) => {
      const names = headerNames(sight)
      if (names.length === 0 || !sendsProbe(sight)) return false
      const isReceived = names.some((name) => name.toLowerCase() === probeHeader)
      return verify(isReceived, 'the header names that the handler received', `${probeHeader} among them`, names)
    },
    'auth.handler.lower-cased': (sight) => {
      const names = headerNames(sight)
      const isLower = names.every((name) => name === name.toLowerCase())
      return names.length > 0 && verify(isLower, 'the header names that the handler received', 'lower case', names)
    },
  }),
  userRule('auth.user.streamed-run', ({ user, isStreamed }) => user === 'alice' && isStreamed),
  userRule('auth.user.second-user', (sight, model) => sight.user === 'bob' && !isMixedUp(model, sight)),
  userRule(
    'auth.user.side-by-side',
    (sight, model) => !sight.isStreamed && isCrowded(model, sight),
    (model) => brokenInPlainRuns(model) ?? brokenInSecondRuns(model),
  ),
  ...rules(bearerRequests, {
    'auth.bearer.accepted': ({ exchange }) =>
      verify(exchange.status !== 401, 'the response to a bearer token', 'a 2xx response', shown(exchange)),
  }),
  ...contextUser,
  ...rules(createdThreads, { 'auth.authz.thread-metadata': keepsOwner }),
  ...rules(
    owned('POST /assistants', 'GET /assistants/{assistant_id}'),
    { 'auth.authz.assistant-metadata': keepsIdentity },
    unless(contextUser),
  ),
  ...rules(
    owned('POST /threads/{thread_id}/runs', 'GET /threads/{thread_id}/runs/{run_id}'),
    { 'auth.authz.run-metadata': keepsIdentity },
    unless(contextUser),
  ),
]
