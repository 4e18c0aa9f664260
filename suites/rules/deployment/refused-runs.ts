import { isUuid } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { earliestEndAlone, mayBeInterrupted } from '../../model/bounds.ts'
import { type DeploymentModel, keyOf, type Run, type Thread, threadOf, threadStates } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { executingGraph } from '../../model/graphs.ts'
import { createRun, streamRun } from '../../model/operations.ts'
import { endOf, finalStatus } from '../../model/run-ends.ts'
import { inputText } from '../../model/test-graphs.ts'
import { at, listAt, textAt } from '../../values/json.ts'
import { textOf } from '../../values/messages.ts'
import { caseOf, type Rule, type Subject, verify, verifyNone } from '../rule.ts'
import { faultOf } from './auth-refusal.ts'
import { otherUserFailure } from './auth-user.ts'

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

/**
 * Returns the requirement that a request for a run on a thread creates no run, with a description of the request; undefined
 * if it may create one.
 *
 * @example refusalOf(model, thread, request)?.described // 'POST /threads/{thread_id}/runs without `assistant_id`'
 */
function refusalOf(model: DeploymentModel, thread: Thread, request: Exchange) {
  const { operation } = request
  const fault = faultIn(model, thread, request)
  if (fault === undefined || (operation !== createRun && operation !== streamRun)) return undefined
  // If the server accepts no request at all, the fault is not the reason why it creates no run.
  if (model.of(operation).length === 0) return undefined
  const requirement = requirements[fault][operation === streamRun ? 1 : 0]
  return { fault, requirement, described: `${operation} ${conditions[fault]}` }
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
      // One that was still open, or had no response, may have added a run, too.
      const open = faults.filter(({ sentAt, closedAt }) => sentAt < exchange.endedAt && closedAt > since)
      const known = new Set([...runs.map(({ id }) => keyOf(id)), ...idsIn(before, thread)])
      const listed = idsIn(exchange, thread)
      const added = listed.filter((id) => !known.has(id))
      // A stream may have named another id than the list.
      const isMissing = runs.some(
        ({ id, creation }) => creation.endedAt <= exchange.sentAt && !listed.includes(keyOf(id)),
      )
      const [request] = requests
      if (request && requests.length === 1 && open.length === 1 && !(added.length > 0 && isMissing))
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

/** States that the owner of a thread read after a refused request whose input no other request for a run has. */
function* readings(model: DeploymentModel) {
  for (const { exchange, thread } of select(model, threadStates)) {
    if (thread.creation === undefined || thread.creation.user !== exchange.user) continue
    const texts = listAt(exchange.json, 'values', 'messages').map(textOf)
    for (const request of thread.requests) {
      const isRefused = request.fate === 'answered' && !request.accepted && request.endedAt <= exchange.sentAt
      if (request.intent !== 'fault' || !isRefused) continue
      const input = inputText(request.request)
      const isOnly = thread.requests.every((each) => each === request || inputText(each.request) !== input)
      if (input && isOnly) yield { exchange, setup: [thread.creation, request], request, thread, input, texts }
    }
  }
}

/** Returns the refused requests with a fault that asked to interrupt a run, or for a stream. */
function refusedInterrupts({ thread, creation, endShownAt }: Run): readonly Exchange[] {
  return thread.requests.filter(
    (each) =>
      each.intent === 'fault' &&
      each.fate === 'answered' &&
      !each.accepted &&
      (each.operation === streamRun || at(each.request, 'multitask_strategy') === 'interrupt') &&
      each.sentAt >= creation.endedAt &&
      each.sentAt < endShownAt,
  )
}

/** Whether a run ended as interrupted after a refused request that may have arrived before its end. */
export function mayBeInterruptedByRefused(run: Run): boolean {
  return finalStatus(run) === 'interrupted' && refusedInterrupts(run).length > 0
}

/** The ends of runs that executed while the server refused a request with a fault that might interrupt them. */
function* refusedInterruptions(model: DeploymentModel) {
  const runs = [...model.runs.values()]
  // If runs end as interrupted without any other request on their thread, a refused one is not the reason.
  if (runs.some((run) => run.thread.requests.length === 1 && finalStatus(run) === 'interrupted')) return
  for (const run of runs) {
    const { thread, creation, views } = run
    const [end, earliestEnd] = [endOf(views), earliestEndAlone(model, run) ?? 0]
    if (end === undefined || thread.hasUnknownEffects || mayBeInterrupted(run)) continue
    const [request, ...others] = refusedInterrupts(run).filter(({ endedAt }) => endedAt < earliestEnd)
    if (request !== undefined && others.length === 0)
      yield { exchange: end.exchange, setup: [creation, request], request, run, status: at(end.record, 'status') }
  }
}

/** Returns the requirement that fails because a refused request interrupted a run. */
export function interruptedByRefused(
  { run }: { readonly run: Run },
  model: DeploymentModel,
): RequirementId | undefined {
  const request = derive(model, interruptingRequests).get(run)
  return request && refusalOf(model, run.thread, request)?.requirement
}

/** The requests with a fault that interrupted a run. */
function interruptingRequests(model: DeploymentModel): ReadonlyMap<Run, Exchange> {
  const interrupted = select(model, refusedInterruptions).filter(({ status }) => status === 'interrupted')
  return new Map(interrupted.map(({ run, request }) => [run, request]))
}

/** Rules about requests with a fault, which must create no run. The fault determines the requirement. */
export const refusedRunRules: readonly Rule<DeploymentModel>[] = [
  {
    requirements: [...new Set(Object.values(requirements).flat())],
    *cases(model) {
      for (const { request, thread, added, ...subject } of [...responses(model), ...lists(model)]) {
        const refusal = refusalOf(model, thread, request)
        if (refusal === undefined) continue
        const found = verify(added.length === 0, `the runs that ${refusal.described} added`, 'none', added)
        const blockedBy = found && refusal.fault === 'foreign' ? otherUserFailure(subject, model) : undefined
        yield caseOf(refusal.requirement, subject, found, blockedBy)
      }
      for (const { request, thread, input, texts, ...subject } of readings(model)) {
        const refusal = refusalOf(model, thread, request)
        if (refusal === undefined) continue
        const stored = texts.filter((text) => text === input)
        const found = verifyNone(stored, `messages of the thread that come from the refused ${refusal.described}`)
        yield caseOf(refusal.requirement, subject, found)
      }
      for (const { request, run, status, ...subject } of select(model, refusedInterruptions)) {
        const refusal = refusalOf(model, run.thread, request)
        if (refusal === undefined) continue
        const strategy = request.operation === streamRun ? '' : ' with the strategy interrupt'
        const name = `the status of a run after ${refusal.described}${strategy}`
        const found = verify(status !== 'interrupted', name, 'not interrupted', status)
        yield caseOf(refusal.requirement, subject, found)
      }
    },
  },
]
