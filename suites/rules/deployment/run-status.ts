import { equal, mismatch, type Rule, rule, type Subject } from '../../evaluate/rule.ts'
import { at, listAt, textAt } from '../../harness/json.ts'
import { isFinal } from '../../harness/run-status.ts'
import { earliestEnd, showsStep, stateReads } from '../../model/bounds.ts'
import type { DeploymentModel, Run, RunView } from '../../model/deployment.ts'
import { testGraphOf } from '../../model/graphs.ts'

/** A record of a run with the run. */
interface View extends Subject {
  readonly run: Run
  readonly status: unknown
}

function viewOf(run: Run, { exchange, record }: RunView): View {
  const setup = [run.thread.created, ...run.thread.creations.filter(({ sentAt }) => sentAt < exchange.sentAt)]
  return { run, exchange, setup, status: at(record, 'status') }
}

/** Reads of runs that sleep, returned before the run can have ended. */
function* whileAsleep(model: DeploymentModel): Iterable<View> {
  for (const run of model.runs.values()) {
    const bound = earliestEnd(model, run)
    if (bound === undefined || !isAlone(run)) continue
    // A graph that sleeps less than it was told to says nothing by the clock.
    if (stateReads(run).some((reading) => reading.endedAt < bound && showsStep(reading, run, 'after'))) continue
    for (const view of run.views) {
      if (view.exchange !== run.created && view.exchange.endedAt < bound) yield viewOf(run, view)
    }
  }
}

/** The last record with a final status of each run whose graph completes normally. */
function* ends(model: DeploymentModel): Iterable<View> {
  for (const run of model.runs.values()) {
    const { created, thread } = run
    const graph = testGraphOf(model, textAt(created.request, 'assistant_id'))
    if (graph === undefined || graph === 'fail' || !hasPlainInput(run)) continue
    if (created.intent !== 'documented' || thread.tainted || !isAlone(run)) continue
    const end = run.views.findLast(({ record }) => isFinal(at(record, 'status')))
    if (end !== undefined) yield viewOf(run, end)
  }
}

/** Whether the input of a run is one or more messages with the role `human`: others have requirements of their own. */
function hasPlainInput({ created }: Run): boolean {
  const messages = listAt(created.request, 'input', 'messages')
  return messages.length > 0 && messages.every((message) => at(message, 'role') === 'human')
}

/**
 * Whether a run was created without a stream, and met no other run on its thread. What strategies do to runs that meet is
 * stated by requirements of their own.
 */
function isAlone({ thread, created }: Run): boolean {
  const strategy = at(created.request, 'multitask_strategy')
  const isPlain = strategy === undefined || strategy === 'enqueue'
  return created.operation === 'POST /threads/{thread_id}/runs' && isPlain && thread.creations.length === 1
}

/** Rules about the status of single runs. */
export const runStatusRules: readonly Rule<DeploymentModel>[] = [
  rule('run.status.not-final-while-executing', {
    each: whileAsleep,
    when: ({ status }) => typeof status === 'string',
    holds: ({ status }) =>
      isFinal(status)
        ? mismatch('the status of a run while its graph executes', 'one that is not final', status)
        : undefined,
  }),
  rule('run.status.pending-at-first-poll', {
    *each(model: DeploymentModel) {
      const seen = new Set<Run>()
      for (const view of whileAsleep(model)) {
        const isFirst = !seen.has(view.run) && view.exchange.params['run_id'] !== undefined
        if (isFirst) yield view
        if (isFirst) seen.add(view.run)
      }
    },
    when: ({ status }) => typeof status === 'string' && !isFinal(status),
    holds: ({ status }) => equal('the status at the first poll of a run', status, 'pending'),
  }),
  rule('run.status.success', {
    each: ends,
    holds: ({ status }) => equal('the final status of a run whose graph completes', status, 'success'),
  }),
]
