import { isDeepStrictEqual } from 'node:util'
import { jsonEndpoints, runTable } from '../../catalog/deployment/run.ts'
import { isUuid } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { mayBeInterrupted } from '../../model/bounds.ts'
import { type DeploymentModel, keyOf, type Run, type RunView, type Thread, threadOf } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { strategyOf } from '../../model/histories.ts'
import { createRun, type Operation, streamRun } from '../../model/operations.ts'
import { hadEnded, mayBeBusy } from '../../model/run-ends.ts'
import { at, listAt, show } from '../../values/json.ts'
import { nextPage } from '../../values/next-page.ts'
import { isFinal } from '../../values/run-status.ts'
import { settlingMs } from '../../values/settling-time.ts'
import {
  freshIdRule,
  hasFieldOf,
  isArrayOfObjects,
  isMissing,
  nameOf,
  responds,
  responsesTo,
  type ShownObject,
  statusAndBody,
  updatedNotBeforeCreatedRule,
} from '../common.ts'
import {
  type Case,
  equal,
  failureOf,
  firstThree,
  type ItemOf,
  type Mismatch,
  type Rule,
  rule,
  rules,
  type Subject,
  verify,
} from '../rule.ts'
import { lockoutFailure } from './threads.ts'

/** Documented creations of runs with the record that they returned. */
function* created(model: DeploymentModel): Iterable<ShownObject & { readonly thread: Thread | undefined }> {
  for (const exchange of model.of(createRun)) {
    const thread = threadOf(model, exchange)
    yield { exchange, value: exchange.json, thread, setup: [thread?.creation] }
  }
}

/** Creations that must create a run: what `reject` and the default do on a busy thread is unspecified. */
function* creating(model: DeploymentModel): Iterable<ShownObject> {
  for (const subject of created(model)) {
    const { exchange, thread } = subject
    const mayWait = ['enqueue', 'interrupt'].includes(strategyOf(exchange) ?? '')
    if (mayWait || !mayBeBusy(thread, exchange)) yield subject
  }
}

/** A read of a run. `earlier`: of a refused one, the last one before it that was accepted. */
interface Read extends Subject {
  readonly run: Run
  readonly earlier: Exchange | undefined
}

/** Reads of runs by the user who created them. Whether a streamed run can be read is a requirement of its own. */
export function* reads(model: DeploymentModel): Iterable<Read> {
  for (const exchange of model.attempts('GET /threads/{thread_id}/runs/{run_id}')) {
    const run = model.runs.get(keyOf(exchange.params['run_id']) ?? '')
    if (run?.creation.operation !== createRun || run.creation.caller !== exchange.caller) continue
    if (run.creation.headAt > exchange.sentAt) continue
    const before = run.thread.runCreations.filter(({ sentAt }) => sentAt < exchange.sentAt)
    const isEarlier = (view: RunView) => view.source === 'read' && view.exchange.endedAt <= exchange.sentAt
    const earlier = exchange.accepted ? undefined : run.views.findLast(isEarlier)?.exchange
    yield { exchange, run, setup: [run.thread.creation, ...before, earlier], earlier }
  }
}

/** Runs that may have been created on the same thread after a run. */
function laterRuns(run: Run): readonly Run[] {
  return run.thread.runs.filter((other) => other !== run && other.creation.endedAt > run.creation.sentAt)
}

/** Lists of the runs of threads that only their creators use. A server may refuse page parameters: they are not documented. */
function* lists(model: DeploymentModel): Iterable<Subject & { readonly thread: Thread }> {
  for (const exchange of model.attempts('GET /threads/{thread_id}/runs')) {
    const thread = threadOf(model, exchange)
    if (thread === undefined || !thread.isPrivate || (isPaged(exchange) && !exchange.accepted)) continue
    const before = thread.runCreations.filter(({ sentAt }) => sentAt < exchange.endedAt)
    yield { exchange, thread, setup: [thread.creation, ...before] }
  }
}

function isPaged({ url }: Exchange): boolean {
  return url.includes('?')
}

/** Ids in lists that are arrays. */
function* listedIds(model: DeploymentModel) {
  for (const { exchange, thread, setup } of select(model, lists)) {
    if (!exchange.accepted || !Array.isArray(exchange.json)) continue
    const ids = exchange.json.map((run) => keyOf(at(run, 'run_id')))
    if (ids.every((id) => id !== undefined)) yield { exchange, thread, setup: setup ?? [], ids }
  }
}

/**
 * Whether the trace knows the ids of all runs that a list of a thread may show. Whether a refused or a streamed creation
 * leaves a run is a requirement of its own.
 */
function isKnown(
  { hasUnknownEffects, writes, runs }: Thread,
  { endedAt }: Exchange,
  operations: readonly (string | undefined)[] = [createRun],
): boolean {
  const known = new Set(runs.map(({ creation }) => creation))
  const earlier = writes.filter(({ sentAt }) => sentAt < endedAt)
  return !hasUnknownEffects && earlier.every((write) => operations.includes(write.operation) && known.has(write))
}

/** Runs of a thread that were created before an exchange was sent. */
function runsBefore({ runs }: Thread, sentAt: number): readonly Run[] {
  return runs.filter(({ creation }) => creation.endedAt <= sentAt)
}

/** Lists that were requested with page parameters. */
function pagesByThread(model: DeploymentModel): ReadonlyMap<Thread, readonly ListedIds[]> {
  const paged = select(model, listedIds).filter(({ exchange }) => isPaged(exchange))
  return Map.groupBy(paged, ({ thread }) => thread)
}

type ListedIds = ItemOf<typeof listedIds>

/**
 * Whether a page may be cut: it has as many runs as its limit, and the server may accept no higher one; or it has more than the
 * plain list and no list has more than it, and the server may return fewer than its limit.
 */
function isCutPage(model: DeploymentModel, { exchange, ids: { length } }: ListedIds, plain: number): boolean {
  const limit = Number(new URL(exchange.url).searchParams.get('limit') ?? Number.POSITIVE_INFINITY)
  return length >= limit || (length > plain && length >= derive(model, longestPage))
}

/** The number of runs in the longest list. */
function longestPage(model: DeploymentModel): number {
  return select(model, listedIds).reduce((longest, { ids }) => Math.max(longest, ids.length), 0)
}

/** Whether a list may be the first page of several: the server has pages, and no plain list shows more runs. */
function mayBePage(model: DeploymentModel, { thread, ids }: ListedIds): boolean {
  const pages = derive(model, pagesByThread)
  const longest = derive(model, longestList)
  return longest <= ids.length && pages.size > 0 && !pages.has(thread)
}

/** The number of runs in the longest list that was requested without page parameters. */
function longestList(model: DeploymentModel): number {
  const plain = select(model, listedIds).filter(({ exchange }) => !isPaged(exchange))
  return plain.reduce((longest, { ids }) => Math.max(longest, ids.length), 0)
}

/** Largest number of runs for which a scenario requests further pages. */
export const smallList = 6

/** Plain lists of few runs that the trace knows, with those that are in no list of the thread. */
export function* smallLists(model: DeploymentModel) {
  for (const list of select(model, listedIds)) {
    const { thread, exchange, ids } = list
    if (isPaged(exchange)) continue
    const before = runsBefore(thread, exchange.sentAt)
    if (before.length === 0 || before.length > smallList || !isKnown(thread, exchange, [createRun, streamRun])) continue
    // A plain list may be a first page.
    const pages = derive(model, pagesByThread).get(thread) ?? []
    const all = [...ids, ...pages.flatMap((page) => page.ids)]
    const unlisted = before.filter(({ id }) => !all.includes(id.toLowerCase()))
    const mayBeLate = unlisted.every(({ creation }) => creation.endedAt > exchange.sentAt - settlingMs)
    const isCut =
      mayBePage(model, list) ||
      nextPage(exchange, ids.length) !== undefined ||
      pages.some((page) => isCutPage(model, page, ids.length))
    if (unlisted.length > 0 && (mayBeLate || isCut)) continue
    const isStreamed = ({ creation }: Run) => creation.operation === streamRun
    const missing = { streamed: unlisted.filter(isStreamed), others: unlisted.filter((run) => !isStreamed(run)) }
    yield { ...list, missing, count: before.length, hasStreamed: before.some(isStreamed) }
  }
}

type SmallList = ItemOf<typeof smallLists>

const listsAll = (missing: readonly Run[], { ids, count }: SmallList): Mismatch | undefined =>
  verify(
    missing.length === 0,
    'the list of runs of a thread',
    count === 1 ? 'its only run' : `all ${count} runs`,
    `${ids.length === 1 ? '1 run' : `${ids.length} runs`}, without ${show(missing.map(({ id }) => id))}`,
  )

export const listsEveryRun = (list: SmallList): Mismatch | undefined => listsAll(list.missing.others, list)
export const listsStreamedRuns = (list: SmallList): Mismatch | undefined => listsAll(list.missing.streamed, list)

/** Whether a request may have had an effect between two other ones. */
function isBetween({ sentAt, endedAt }: Exchange, earlier: Exchange, later: Exchange): boolean {
  return endedAt > earlier.sentAt && sentAt < later.endedAt
}

/** Records of runs that were requested after another response had shown a final status: of the same request if possible. */
function* afterEnd(model: DeploymentModel) {
  for (const run of model.runs.values()) {
    const views = run.views.filter(({ source }) => source !== 'creation')
    const ends = views
      .filter(({ record }) => isFinal(at(record, 'status')))
      .toSorted((a, b) => a.exchange.endedAt - b.exchange.endedAt)
    for (const { exchange, record, source } of views) {
      const before = ends
        .filter((end) => end.exchange.endedAt <= exchange.sentAt)
        .filter((end) => !mayBeInterrupted(run, end.exchange.sentAt, exchange.endedAt))
      const earlier = before.find((end) => end.source === source) ?? before[0]
      const later = earlier && laterRuns(run).find(({ creation }) => isBetween(creation, earlier.exchange, exchange))
      const setup = [run.thread.creation, run.creation, earlier?.exchange, later?.creation]
      if (earlier !== undefined) yield { exchange, setup, value: record, source, earlier, later }
    }
  }
}

/** A run that has ended keeps its status, wherever it is shown. */
const statusRules = (
  [
    ['run.status.keeps-final', 'read', 'read'],
    ['run.get.current-status', 'list', 'read'],
    ['run.list.current-status', 'read', 'list'],
  ] as const
).map(([requirement, earlierSource, laterSource]) =>
  rule(requirement, {
    each: afterEnd,
    when: ({ source, earlier, value }) =>
      earlier.source === earlierSource && source === laterSource && typeof at(value, 'status') === 'string',
    evaluate: ({ exchange: read, value, earlier: { exchange, record }, later }) => {
      const final = at(record, 'status')
      const since = later === undefined ? '' : `, after another run was created on its thread,`
      const name = `the status in ${nameOf(read)} of a run that ${nameOf(exchange)} has shown as \`${final}\`${since}`
      return equal(name, at(value, 'status'), final)
    },
  }),
)

const answersRun = rule('run.get.answers-run', {
  each: reads,
  when: ({ exchange, run }) =>
    laterRuns(run).every(
      ({ creation }) =>
        creation.sentAt > exchange.endedAt || (strategyOf(creation) === 'enqueue' && !hadEnded(run, exchange.sentAt)),
    ) && !mayBeInterrupted(run),
  evaluate: (subject, model) => lockoutFailure(subject, model) ?? responds(subject, 'a run', hasFieldOf(runTable)),
})

const runLoss = failureOf([answersRun], ({ subject }) => {
  return isMissing(subject.exchange) && (subject as Read).earlier !== undefined
})

/** Returns the requirement that fails if runs are lost, of a response that says that a run does not exist. */
export function lostRun(failing: Case, model: DeploymentModel): RequirementId | undefined {
  const { exchange } = failing.subject
  const isAboutRun = isMissing(exchange) && model.runs.has(keyOf(exchange.params['run_id']) ?? '')
  return isAboutRun && failing.requirement !== 'run.get.answers-run' ? runLoss(failing, model) : undefined
}

export const runRules: readonly Rule<DeploymentModel>[] = [
  freshIdRule('run.create.fresh-id', creating, 'run_id'),
  updatedNotBeforeCreatedRule('run.updated-not-before-created', (model: DeploymentModel) =>
    model.runViews.map(({ exchange, record: value, thread, creation }) => ({
      exchange,
      value,
      setup: [thread?.creation, creation],
    })),
  ),
  rule('run.create.status-pending', {
    each: created,
    // What the first status is on a busy thread is stated for each strategy.
    when: ({ exchange, value, thread }) =>
      typeof at(value, 'status') === 'string' && thread?.hasUnknownEffects === false && !mayBeBusy(thread, exchange),
    evaluate: ({ value }) => equal('the status of a new run', at(value, 'status'), 'pending'),
  }),
  answersRun,
  rule('run.get.named-run', {
    each: reads,
    when: ({ exchange }) => exchange.accepted && isUuid(at(exchange.json, 'run_id')),
    evaluate: ({ exchange, run }) => {
      const id = at(exchange.json, 'run_id')
      return verify(keyOf(id) === keyOf(run.id), 'the run that the path names', run.id, id)
    },
  }),
  rule('run.status.kept', {
    each: reads,
    when: ({ exchange, run }) =>
      laterRuns(run).some((later) => hadEnded(later, exchange.sentAt)) &&
      run.views.some(
        (view) =>
          view.source === 'read' && at(view.record, 'status') === 'success' && view.exchange.endedAt <= exchange.sentAt,
      ),
    evaluate: ({ exchange }) =>
      verify(exchange.accepted, 'a run whose thread has a later run', 'the run', statusAndBody(exchange)),
  }),
  rule('run.list.answers-array', {
    each: lists,
    when: ({ exchange, thread }) => runsBefore(thread, exchange.sentAt).length > 0,
    evaluate: (subject, model) =>
      lockoutFailure(subject, model) ?? responds(subject, 'an array of objects', isArrayOfObjects),
  }),
  rule('run.list.empty', {
    each: lists,
    when: ({ thread, exchange }) =>
      isKnown(thread, exchange) && !thread.runCreations.some(({ sentAt }) => sentAt < exchange.endedAt),
    evaluate({ exchange }, model) {
      const listsRuns = (list: Subject) => list.exchange.accepted && listAt(list.exchange.json).length > 0
      if (!select(model, lists).some(listsRuns)) return 'run.list.answers-array'
      const isEmpty = exchange.accepted && isDeepStrictEqual(exchange.json, [])
      return verify(isEmpty, 'the list of runs of a thread without runs', '[]', statusAndBody(exchange))
    },
  }),
  rule('run.list.every-run', {
    each: smallLists,
    // Whether an interrupted run stays in the list is a requirement of its own.
    when: ({ thread }) => !thread.runs.some((each) => mayBeInterrupted(each)),
    evaluate: listsEveryRun,
  }),
  ...rules(listedIds, {
    'run.list.once': ({ ids }) =>
      ids.length > 0 &&
      verify(new Set(ids).size === ids.length, 'the list of runs of a thread', 'no id twice', show(ids)),
    'run.list.own-runs': ({ thread, exchange, ids }) => {
      if (ids.length === 0 || !isKnown(thread, exchange)) return false
      const own = thread.runs.filter(({ creation }) => creation.sentAt < exchange.endedAt).map(({ id }) => id)
      const known = new Set(own.map(keyOf))
      const foreign = listAt(exchange.json)
        .map((run) => at(run, 'run_id'))
        .filter((id) => !known.has(keyOf(id)))
      const expected =
        own.length === 0 ? 'empty, because it has no runs' : `only runs of the thread: ${firstThree(own)}`
      return verify(foreign.length === 0, 'the list of runs of a thread', expected, `also ${firstThree(foreign)}`)
    },
  }),
  ...statusRules,
  ...jsonEndpoints.map(({ name, endpoint }) =>
    rule(`content-type.${name}`, {
      each: responsesTo(endpoint as Operation),
      when: ({ exchange }) => exchange.json !== undefined,
      evaluate({ exchange: { headers } }) {
        const type = headers['content-type'] ?? 'none'
        const isJson = /^application\/json\s*(;|$)/i.test(type)
        return verify(isJson, `the content type of ${endpoint}`, 'application/json, with any parameters', type)
      },
    }),
  ),
]
