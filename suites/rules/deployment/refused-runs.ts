import { isUuid } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { mismatch, type Rule, type Subject } from '../../evaluate/rule.ts'
import { at, listAt, show, textAt } from '../../harness/json.ts'
import { type DeploymentModel, keyOf, type Thread, threadOf } from '../../model/deployment.ts'
import type { Exchange } from '../../model/exchange.ts'
import { executingGraph } from '../../model/graphs.ts'
import { createRun } from '../../model/operations.ts'
import { streamRun } from '../../model/streams.ts'
import { nameOf } from '../common.ts'
import { faultOf } from './auth-refusal.ts'

/** Requirements that a request creates no run, by what is wrong with it: for background and for streamed runs. */
const requirements = {
  rejected: ['auth.refused.creates-no-run', 'auth.refused.streams-no-run'],
  foreign: ['auth.scope.run-create', 'auth.scope.run-stream'],
  unnamed: ['run.create.assistant-id.required', 'stream.request.assistant_id-required'],
  unknownId: ['run.create.assistant-id.unknown-id', 'stream.request.assistant_id-known'],
  unknownName: ['run.create.assistant-id.unknown-name', 'stream.request.assistant_id-known'],
} as const satisfies Readonly<Record<string, readonly [RequirementId, RequirementId]>>

const conditions: Readonly<Record<keyof typeof requirements, string>> = {
  rejected: 'without valid credentials',
  foreign: 'by a user who does not own the thread',
  unnamed: 'without `assistant_id`',
  unknownId: 'with an `assistant_id` that no assistant has',
  unknownName: 'with an `assistant_id` that names no graph',
}

/** Returns what is wrong with a request for a run on a thread; undefined if it may create one. */
function faultIn(model: DeploymentModel, thread: Thread, request: Exchange): keyof typeof requirements | undefined {
  // A status other than 401 fails a requirement of its own.
  if (faultOf(request) !== undefined && model.endpoint.profile === 'custom-auth')
    return request.status === 401 ? 'rejected' : undefined
  if (thread.creation === undefined) return undefined
  if (request.user !== thread.creation.user) return 'foreign'
  const named = at(request.request, 'assistant_id')
  if (typeof named !== 'string') return 'unnamed'
  if (executingGraph(model, named) !== undefined) return undefined
  return isUuid(named) ? 'unknownId' : 'unknownName'
}

/** The runs that requests with a fault added to a thread, as a response shows them. */
interface Effect extends Subject {
  readonly request: Exchange
  readonly thread: Thread
  readonly added: readonly unknown[]
}

/** Runs in responses to requests with a fault. */
function* responses(model: DeploymentModel): Iterable<Effect> {
  for (const exchange of model.exchanges) {
    const thread = threadOf(model, exchange)
    const runId = exchange.accepted ? textAt(exchange.json, 'run_id') : undefined
    if (exchange.intent !== 'fault' || exchange.operation !== createRun || !thread || runId === undefined) continue
    yield { exchange, setup: [thread.creation], request: exchange, thread, added: [runId] }
  }
}

/** Lists of runs that the owner of a thread read before and after one request with a fault. */
function* lists(model: DeploymentModel): Iterable<Effect> {
  const read = model.of('GET /threads/{thread_id}/runs').filter(({ json }) => Array.isArray(json))
  for (const ofThread of Map.groupBy(read, ({ params }) => keyOf(params['thread_id'])).values()) {
    const [first] = ofThread
    const thread = first && threadOf(model, first)
    const creation = thread?.creation
    if (thread === undefined || creation === undefined) continue
    const isOwn = ({ user, intent }: Exchange) => user === creation.user && intent === 'documented'
    const runs = thread.runs.filter((run) => isOwn(run.creation))
    if (runs.length < thread.runCreations.filter(isOwn).length) continue
    const faults = thread.exchanges.filter(({ method, intent }) => method === 'POST' && intent === 'fault')
    let before: Exchange | undefined
    for (const exchange of faults.length > 0 ? ofThread.filter(isOwn) : []) {
      const since = (before ?? creation).endedAt
      const requests = faults.filter(({ sentAt, endedAt }) => sentAt >= since && endedAt <= exchange.sentAt)
      const known = new Set([...runs.map(({ id }) => keyOf(id)), ...idsIn(before, thread)])
      const listed = idsIn(exchange, thread)
      const added = listed.filter((id) => !known.has(id))
      // A stream may have named another id than the list.
      const isMissing = runs.some(
        ({ id, creation }) => creation.endedAt <= exchange.sentAt && !listed.includes(keyOf(id)),
      )
      const [request] = requests
      if (request && requests.length === 1 && !(added.length > 0 && isMissing))
        yield { exchange, setup: [creation, before, request], request, thread, added }
      before = exchange
    }
  }
}

/** Ids in a list of runs. A list that shows the runs of other threads fails a requirement of its own. */
function idsIn(list: Exchange | undefined, { id }: Thread): readonly unknown[] {
  const own = listAt(list?.json).filter((run) => keyOf(at(run, 'thread_id')) === id)
  return own.map((run) => keyOf(at(run, 'run_id')))
}

/** Rules about requests with a fault, which must create no run. The fault determines the requirement. */
export const refusedRunRules: readonly Rule<DeploymentModel>[] = [
  {
    requirements: [...new Set(Object.values(requirements).flat())],
    *cases(model) {
      for (const { request, thread, added, ...subject } of [...responses(model), ...lists(model)]) {
        const { operation } = request
        const fault = faultIn(model, thread, request)
        // If the server accepts no request at all, the fault is not the reason why it creates no run.
        const isAccepted = (operation === createRun || operation === streamRun) && model.of(operation).length > 0
        if (fault === undefined || !isAccepted) continue
        const requirement = requirements[fault][operation === streamRun ? 1 : 0]
        if (added.length === 0) yield { requirement, subject }
        else
          yield {
            requirement,
            subject,
            mismatch: mismatch(`the runs that ${nameOf(request)} ${conditions[fault]} added`, 'none', show(added)),
          }
      }
    },
  },
]
