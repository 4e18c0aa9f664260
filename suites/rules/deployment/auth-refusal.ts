import { guardedEndpoints } from '../../catalog/deployment/auth-refusal.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { mismatch, type Rule, rule, rules, type Subject, verify } from '../../evaluate/rule.ts'
import { at, listAt, show } from '../../harness/json.ts'
import { type DeploymentModel, keyOf, threadOf } from '../../model/deployment.ts'
import type { Exchange } from '../../model/exchange.ts'
import { nameOf, shown } from '../common.ts'

const faults = { nobody: 'missing', invalid: 'wrong' } as const

/** A request without valid credentials. */
interface Intrusion extends Subject {
  readonly fault: 'missing' | 'wrong'
}

function faultOf({ user, intent }: Exchange): Intrusion['fault'] | undefined {
  return intent === 'probe' ? undefined : faults[user as keyof typeof faults]
}

/** Requests without valid credentials that the server accepts from a user. */
function* intrusions(model: DeploymentModel): Iterable<Intrusion> {
  if (model.endpoint.profile !== 'custom-auth') return
  const formOf = ({ method, url, requestText }: Exchange) => JSON.stringify([method, url, requestText])
  const valid = model.exchanges.filter((exchange) => exchange.intent === 'documented' && isValid(exchange))
  const controls = new Map(valid.map((exchange) => [formOf(exchange), exchange]))
  for (const exchange of model.exchanges) {
    const [fault, control] = [faultOf(exchange), controls.get(formOf(exchange))]
    if (fault && control && exchange.fate === 'answered') yield { exchange, setup: [control], fault }
  }
}

/** Whether credentials were accepted. What GET /threads responds otherwise is not specified. */
function isValid({ operation, accepted, fate, status }: Exchange): boolean {
  return accepted || (operation === 'GET /threads' && fate === 'answered' && status !== 401 && status !== 403)
}

const refusedRules = guardedEndpoints.flatMap(({ key, method, path }) =>
  (['missing', 'wrong'] as const).map((fault) =>
    rule(`auth.refused.${key}.${fault}-credentials` as RequirementId, {
      each: intrusions,
      when: (intrusion) => intrusion.fault === fault && intrusion.exchange.operation === `${method} ${path}`,
      holds: ({ exchange }) =>
        exchange.status === 401
          ? undefined
          : mismatch(`the response to ${nameOf(exchange)} with ${fault} credentials`, '401', shown(exchange)),
    }),
  ),
)

/** Refusals with 401 where the detail message of the handler is known. */
function* refusals(model: DeploymentModel) {
  const detail = model.endpoint.refusalDetail
  for (const exchange of detail === undefined ? [] : model.exchanges) {
    const fault = faultOf(exchange)
    if (fault && exchange.status === 401) yield { exchange, fault, detail: detail ?? '' }
  }
}

const detailRule = (fault: Intrusion['fault']) => (refusal: { exchange: Exchange; fault: string; detail: string }) =>
  refusal.fault === fault &&
  verify(
    refusal.exchange.text.includes(refusal.detail),
    'the body of a 401 response',
    `${show(refusal.detail)} anywhere in it`,
    refusal.exchange.text,
  )

const listRuns = 'GET /threads/{thread_id}/runs'

/** Lists of runs that the owner of a thread read before and after somebody else requested a run. */
function* afterRequests(model: DeploymentModel) {
  const lists = model.of(listRuns).filter(({ json }) => Array.isArray(json))
  for (const [index, exchange] of lists.entries()) {
    const thread = threadOf(model, exchange)
    const { created, creations = [], runs = [], exchanges = [] } = thread ?? {}
    if (created === undefined || created.user !== exchange.user) continue
    const isOwn = ({ user }: Exchange) => user === created.user
    const before = lists.slice(0, index).findLast((list) => list.url === exchange.url && isOwn(list))
    const since = (before ?? created).endedAt
    const foreign = exchanges.filter(
      (each) => !isOwn(each) && each.method === 'POST' && each.sentAt >= since && each.endedAt <= exchange.sentAt,
    )
    const own = runs.filter((run) => isOwn(run.created))
    const [request, ...others] = foreign
    if (request === undefined || others.length > 0 || creations.filter(isOwn).length > own.length) continue
    const known = new Set([...own.map(({ id }) => keyOf(id)), ...idsIn(before)])
    const added = idsIn(exchange).filter((id) => !known.has(id))
    yield { exchange, setup: [created, before, request], request, added }
  }
}

function idsIn(list: Exchange | undefined): readonly (string | undefined)[] {
  return listAt(list?.json).map((run) => keyOf(at(run, 'run_id')))
}

/** Creates a rule: the request of a user who must not create a run on a thread leaves no run there. */
function noRunRule(
  requirement: RequirementId,
  operation: string,
  isFrom: (request: Exchange) => boolean,
): Rule<DeploymentModel> {
  return rule(requirement, {
    each: afterRequests,
    when: ({ request }) => request.operation === operation && isFrom(request),
    holds: ({ added }) =>
      verify(added.length === 0, 'the runs that the request added to the list', 'none', show(added)),
  })
}

const createRun = 'POST /threads/{thread_id}/runs'
const isRefused = (request: Exchange): boolean => faultOf(request) !== undefined && request.status === 401
const isFromEndUser = ({ user }: Exchange): boolean => user === 'alice' || user === 'bob'

/** Rules about requests that the authentication handler must reject, and about requests without an effect. */
export const authRefusalRules: readonly Rule<DeploymentModel>[] = [
  ...refusedRules,
  ...rules(refusals, {
    'errors.unauthenticated.detail-missing': detailRule('missing'),
    'errors.unauthenticated.detail-wrong': detailRule('wrong'),
  }),
  noRunRule('auth.refused.creates-no-run', createRun, isRefused),
  noRunRule('auth.refused.streams-no-run', `${createRun}/stream`, isRefused),
  noRunRule('auth.scope.run-create', createRun, isFromEndUser),
  noRunRule('auth.scope.run-stream', `${createRun}/stream`, isFromEndUser),
]
