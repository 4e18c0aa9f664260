import { isDeepStrictEqual } from 'node:util'
import { runTable } from '../../catalog/deployment/run.ts'
import { type DeploymentModel, threadOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { executingGraph } from '../../model/graphs.ts'
import { createRun } from '../../model/operations.ts'
import { mayBeBusy } from '../../model/run-ends.ts'
import { textAt } from '../../values/json.ts'
import { hasFieldOf, responds } from '../common.ts'
import { type Rule, rule, type Subject } from '../rule.ts'
import { formOf, formRule } from './forms.ts'

/** Requests for runs of assistants with a known graph, on idle threads that the same user created. */
function* attempts(model: DeploymentModel): Iterable<Subject> {
  for (const exchange of model.attempts(createRun)) {
    const thread = threadOf(model, exchange)
    const isOnOwnIdleThread = thread?.creation?.caller === exchange.caller && !mayBeBusy(thread, exchange)
    const graph = executingGraph(model, textAt(exchange.request, 'assistant_id'))
    if (isOnOwnIdleThread && graph !== undefined) yield { exchange, setup: [thread.creation] }
  }
}

/**
 * Whether a refusal fails another requirement, that of its form, or may be legal: the server accepts some requests of the
 * user, but none of the same form. How soon a thread accepts a run after another one is unspecified.
 */
function mayBeRefused(model: DeploymentModel, exchange: Exchange): boolean {
  const accepted = select(model, attempts).filter(
    (attempt) => attempt.exchange.accepted && attempt.exchange.user === exchange.user,
  )
  if (accepted.length === 0) return false
  const isFirst = threadOf(model, exchange)?.requests[0] === exchange
  const form = formOf(model, exchange)
  const isOther = (attempt: Subject) => !isDeepStrictEqual(formOf(model, attempt.exchange), form)
  return !isFirst || [413, 503].includes(exchange.status ?? 0) || accepted.every(isOther)
}

/** Rules about what run creation accepts. */
export const runCreateRules: readonly Rule<DeploymentModel>[] = [
  rule('run.create.answers-run', {
    each: attempts,
    when: ({ exchange }, model) => exchange.accepted || !mayBeRefused(model, exchange),
    evaluate: (subject) => responds(subject, 'a run', hasFieldOf(runTable)),
  }),
  formRule('run.create.input.accepted', createRun, 'with input messages', 'input', 'messages'),
  formRule('run.create.input.optional', createRun, 'without `input`', 'input', 'absent'),
  formRule('run.create.strategy.optional', createRun, 'without `multitask_strategy`', 'strategy', undefined),
  formRule('run.create.strategy.reject', createRun, 'with the strategy `reject`', 'strategy', 'reject'),
  formRule('run.create.strategy.enqueue', createRun, 'with the strategy `enqueue`', 'strategy', 'enqueue'),
  formRule('run.create.strategy.interrupt', createRun, 'with the strategy `interrupt`', 'strategy', 'interrupt'),
]
