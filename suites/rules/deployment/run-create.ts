import { type Rule, rule, type Subject } from '../../evaluate/rule.ts'
import { textAt } from '../../harness/json.ts'
import { type DeploymentModel, threadOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { executingGraph } from '../../model/graphs.ts'
import { createRun } from '../../model/operations.ts'
import { mayBeBusy } from '../../model/quiet.ts'
import { responds } from '../common.ts'
import { formRule } from './forms.ts'

/** Requests for runs of assistants with a known graph, on idle threads that the same user created. */
function* attempts(model: DeploymentModel): Iterable<Subject> {
  for (const exchange of model.attempts(createRun)) {
    const thread = threadOf(model, exchange)
    const isOnOwnIdleThread = thread?.creation?.user === exchange.user && !mayBeBusy(thread, exchange)
    const graph = executingGraph(model, textAt(exchange.request, 'assistant_id'))
    if (isOnOwnIdleThread && graph !== undefined) yield { exchange, setup: [thread.creation] }
  }
}

/** Rules about what run creation accepts. */
export const runCreateRules: readonly Rule<DeploymentModel>[] = [
  rule('run.create.answers-run', {
    each: attempts,
    // If the server accepts some requests of the user, a refused one fails the requirement of its form instead.
    when: ({ exchange }, model) =>
      exchange.accepted ||
      !select(model, attempts).some(({ exchange: { accepted, user } }) => accepted && user === exchange.user),
    evaluate: ({ exchange }) => responds(exchange, 'a run'),
  }),
  formRule('run.create.input.accepted', createRun, 'input', 'messages'),
  formRule('run.create.input.optional', createRun, 'input', 'absent'),
  formRule('run.create.strategy.optional', createRun, 'strategy', undefined),
  formRule('run.create.strategy.reject', createRun, 'strategy', 'reject'),
  formRule('run.create.strategy.enqueue', createRun, 'strategy', 'enqueue'),
  formRule('run.create.strategy.interrupt', createRun, 'strategy', 'interrupt'),
]
