import type { RequirementId } from '../../catalog/generated/ids.ts'
import { delayOf } from '../../model/bounds.ts'
import { type DeploymentModel, threadOf } from '../../model/deployment.ts'
import { testGraphOf } from '../../model/graphs.ts'
import { at, listAt, show } from '../../values/json.ts'
import { isFinal } from '../../values/run-status.ts'
import { deciding, failureOf, type Rule, rule, verify } from '../rule.ts'
import { runStatusRules } from './run-status.ts'
import { runRules } from './runs.ts'

/**
 * The last list of runs of each thread with one request for a run, which the client abandoned: it closed the connection
 * before the response. A list with an active run is left out unless the run has had enough time to end.
 */
function* lastLists(model: DeploymentModel) {
  const { waitMs = Number.POSITIVE_INFINITY } = model.endpoint
  const lists = Map.groupBy(model.of('GET /threads/{thread_id}/runs'), (list) => threadOf(model, list))
  for (const [thread, listsOfThread] of lists) {
    const [creation, ...others] = thread?.writes ?? []
    const exchange = listsOfThread.at(-1)
    if (creation?.fate !== 'left' || creation.intent !== 'documented' || others.length > 0) continue
    const graph = testGraphOf(model, creation)
    if (graph === undefined || graph === 'fail' || !Array.isArray(exchange?.json)) continue
    // Whether there is a run is unspecified: the server may not have received the whole request.
    if (listsOfThread.every(({ json }) => listAt(json).length === 0)) continue
    const statuses = listAt(exchange.json).map((run) => at(run, 'status'))
    const waited = exchange.sentAt - creation.closedAt - (delayOf(model, creation) ?? 0)
    if (statuses.every(isFinal) || waited >= waitMs) yield { exchange, setup: [thread?.creation, creation], statuses }
  }
}

const causes: readonly RequirementId[] = [
  'run.list.answers-array',
  'run.list.every-run',
  'run.list.own-runs',
  'run.list.current-status',
  'run.status.ends',
  'run.status.success',
]

const statusFailure = failureOf(deciding([...runRules, ...runStatusRules], causes))

/** Rules about runs whose client closed the connection before the response. */
export const abandonedRunRules: readonly Rule<DeploymentModel>[] = [
  rule('service.background.outlives-client', {
    each: lastLists,
    evaluate: (list, model) =>
      statusFailure(list, model) ??
      verify(
        list.statuses.length > 0 && list.statuses.every((status) => status === 'success'),
        'the status of a run whose client closed the connection',
        'success',
        show(list.statuses),
      ),
  }),
]
