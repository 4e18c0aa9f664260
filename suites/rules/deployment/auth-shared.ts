import type { RequirementId } from '../../catalog/generated/ids.ts'
import { mismatch, type Rule, rule, verify } from '../../evaluate/rule.ts'
import { at, show, textAt } from '../../harness/json.ts'
import type { DeploymentModel } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Operation } from '../../model/operations.ts'
import { nameOf, shown } from '../common.ts'
import { type Round, rounds } from './assistant-search.ts'
import { createdAssistants } from './assistants.ts'
import { dataIn, ownerOf, visits } from './visits.ts'

/** Whether a user has access to the resources of all users: anyone in an open deployment, and developers. */
function seesAll({ endpoint }: DeploymentModel, { user, intent }: Exchange): boolean {
  return intent === 'documented' && (endpoint.profile === 'open' || user === 'studio')
}

/** Requests that show to another user what they showed to the owner before. */
function* reads(model: DeploymentModel) {
  for (const visit of select(model, visits)) {
    const { exchange, control } = visit
    if (control === undefined || !seesAll(model, exchange)) continue
    const received = dataIn(visit, exchange)
    const expected = dataIn(visit, control)
    if (expected.length > 0) yield { ...visit, missing: expected.filter((mark) => !received.includes(mark)) }
  }
}

function readRule(requirement: RequirementId, operation: Operation): Rule<DeploymentModel> {
  return rule(requirement, {
    each: reads,
    when: ({ exchange }) => exchange.operation === operation,
    holds: ({ exchange, missing }) =>
      verify(missing.length === 0, `the response to ${nameOf(exchange)}`, `one with ${show(missing)}`, shown(exchange)),
  })
}

/** Runs that another user requests on a thread on which the owner has created one. */
function* creations(model: DeploymentModel) {
  for (const visit of select(model, visits)) {
    const { exchange, control } = visit
    const isQueued = at(exchange.request, 'multitask_strategy') === 'enqueue'
    if (isQueued && control !== undefined && seesAll(model, exchange)) yield visit
  }
}

function createRule(requirement: RequirementId): Rule<DeploymentModel> {
  return rule(requirement, {
    each: creations,
    when: ({ exchange }) => exchange.operation === 'POST /threads/{thread_id}/runs',
    holds: ({ exchange }) =>
      verify(
        exchange.accepted && textAt(exchange.json, 'run_id') !== undefined,
        `the response to ${nameOf(exchange)}`,
        'a run',
        shown(exchange),
      ),
  })
}

/** Returns the assistants of other users that their creators found before a search, by id. */
export function foundByOwners(model: DeploymentModel, { exchange, pages }: Round): ReadonlyMap<string, Exchange> {
  const before = select(model, rounds).filter((other) => other.exchange.endedAt <= (pages[0] ?? exchange).sentAt)
  const isFound = ([id, creation]: readonly [string, Exchange]) =>
    ownerOf(model, creation) !== ownerOf(model, exchange) &&
    before.some((other) => ownerOf(model, other.exchange) === ownerOf(model, creation) && other.ids.has(id))
  return new Map([...createdAssistants(model)].filter(isFound))
}

/** Searches by users who see all, with the assistants of other users in the same scenario. */
function* searches(model: DeploymentModel) {
  for (const round of select(model, rounds)) {
    if (!seesAll(model, round.exchange)) continue
    const others = [...foundByOwners(model, round)].filter(
      ([, creation]) => creation.scenario === round.exchange.scenario,
    )
    const missing = others.flatMap(([id]) => (round.ids.has(id) ? [] : [id]))
    const setup = [...others.map(([, creation]) => creation), ...round.pages]
    if (others.length > 0 && (missing.length === 0 || round.isWhole)) yield { ...round, setup, missing }
  }
}

function searchRule(requirement: RequirementId): Rule<DeploymentModel> {
  return rule(requirement, {
    each: searches,
    holds: ({ missing }) =>
      missing.length === 0 ? undefined : mismatch('all pages of the search', show(missing), 'pages without them'),
  })
}

/** Rules about users who have access to the resources of all users. */
export const authSharedRules: readonly Rule<DeploymentModel>[] = [
  readRule('auth.none.threads', 'GET /threads/{thread_id}/state'),
  readRule('auth.none.runs', 'GET /threads/{thread_id}/runs'),
  readRule('auth.none.assistants', 'GET /assistants/{assistant_id}'),
  createRule('auth.none.run-create'),
  searchRule('auth.none.assistant-search'),
  readRule('auth.studio.state', 'GET /threads/{thread_id}/state'),
  readRule('auth.studio.run-list', 'GET /threads/{thread_id}/runs'),
  readRule('auth.studio.run-get', 'GET /threads/{thread_id}/runs/{run_id}'),
  readRule('auth.studio.assistant-get', 'GET /assistants/{assistant_id}'),
  createRule('auth.studio.run-create'),
  searchRule('auth.studio.assistant-search'),
]
