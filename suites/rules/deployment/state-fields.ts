import { type StateRoot, stateMetadataTable, stateTable, stateValuesTable } from '../../catalog/deployment/state.ts'
import { isUuid } from '../../catalog/facts.ts'
import type { FieldTable } from '../../catalog/fields.ts'
import { checkedEarliestEnd, showsStep, stateReads } from '../../model/bounds.ts'
import { type DeploymentModel, keyOf, type Run } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { executingGraph, hasTestGraphs } from '../../model/graphs.ts'
import { createRun } from '../../model/operations.ts'
import { finalStatus, writtenStates } from '../../model/run-ends.ts'
import { mayHoldResults } from '../../model/test-graphs.ts'
import { at, listAt, textAt } from '../../values/json.ts'
import { type FieldSubject, fieldRule } from '../field-rule.ts'
import { type Rule, rule, verify } from '../rule.ts'

/**
 * States of idle threads whose latest run succeeded, with that run as the one that wrote the state. Facts about a parent
 * checkpoint need a second run.
 */
function* settledStates(model: DeploymentModel): Iterable<FieldSubject & { readonly writer: Run }> {
  for (const { exchange, writer, thread } of select(model, writtenStates)) {
    if (finalStatus(writer) !== 'success' || !thread.isPrivate) continue
    const runs = thread.runs.filter(({ creation }) => creation.sentAt < exchange.sentAt)
    if (runs.some((run) => finalStatus(run) === undefined)) continue
    // If the results are missing, another requirement fails, and the state may be an older one.
    if (!mayHoldResults(model, writer, exchange.json)) continue
    if (!hasTestGraphs(model) && isUnusual(exchange.json)) continue
    const hasParent = runs.length > 1
    yield {
      writer,
      exchange,
      value: exchange.json,
      root: rootOf(model, writer),
      setup: [thread.creation, ...runs.map(({ creation }) => creation)],
      ...(hasParent ? {} : { unknown: new Set(['parent_checkpoint_id.present', 'parent_checkpoint_id.type']) }),
    }
  }
}

/** Whether a state shows that its graph stores no messages, or stops before its end. */
function isUnusual(state: unknown): boolean {
  return at(state, 'values', 'messages') === undefined || listAt(state, 'next').length > 0
}

/** Returns the values that the state after a run must contain, without assistant and graph if any run is misnamed. */
function rootOf(model: DeploymentModel, run: Run): StateRoot {
  const named = textAt(run.creation.request, 'assistant_id')
  const graph = executingGraph(model, named)
  const shown = run.views.map(({ record }) => at(record, 'assistant_id')).at(-1)
  const ids = { run_id: run.id, thread_id: run.creation.params['thread_id'] ?? '' }
  if (select(model, misnamedRuns).length > 0) return { ...ids, graph_id: undefined, assistant_id: undefined }
  return { ...ids, graph_id: graph, assistant_id: graph === named ? shown : named }
}

/** Runs whose records name another assistant than their requests. Records of other runs are not reliable then, either. */
function* misnamedRuns({ runs }: DeploymentModel): Iterable<Run> {
  for (const run of runs.values()) {
    const named = textAt(run.creation.request, 'assistant_id')
    if (isUuid(named) && run.views.some(({ record }) => keyOf(at(record, 'assistant_id')) !== keyOf(named))) yield run
  }
}

/** States that were read while the first run of a thread certainly slept, and that show its first step. */
function* sleepingStates(model: DeploymentModel) {
  for (const { runs, runCreations, creation } of model.threads.values()) {
    const [run] = runs
    const bound = run && checkedEarliestEnd(model, run)
    if (run === undefined || bound === undefined) continue
    // The id in a stream may be wrong, and a run that was interrupted does not sleep.
    const isFirst = run.creation === runCreations[0] && run.creation.operation === createRun && isUuid(run.id)
    if (!isFirst || finalStatus(run) !== 'success') continue
    for (const exchange of stateReads(run)) {
      const id = at(exchange.json, 'metadata', 'run_id')
      if (exchange.endedAt >= bound || !showsStep(exchange, run, 'before') || !isUuid(id)) continue
      const before = runs.filter(({ creation: { sentAt } }) => sentAt < exchange.sentAt)
      yield { exchange, run, id, setup: [creation, ...before.map((each) => each.creation)] }
    }
  }
}

function stateRule(
  table: FieldTable,
  path: readonly string[],
  unknown: (model: DeploymentModel, run: Run) => readonly string[] = () => [],
): Rule<DeploymentModel> {
  return fieldRule(table, function* (model: DeploymentModel): Iterable<FieldSubject> {
    for (const { writer, ...subject } of select(model, settledStates)) {
      const more = unknown(model, writer)
      yield {
        ...subject,
        value: at(subject.value, ...path),
        unknown: new Set([...(subject.unknown ?? []), ...more]),
      }
    }
  })
}

/** The requirement about `created_by` applies only to runs of the default assistant. */
function ofOtherAssistant(model: DeploymentModel, { creation }: Run): readonly string[] {
  return model.assistants.has(keyOf(textAt(creation.request, 'assistant_id')) ?? '') ? ['created_by.present'] : []
}

export const stateFieldRules: readonly Rule<DeploymentModel>[] = [
  stateRule(stateTable, []),
  stateRule(stateValuesTable, ['values']),
  stateRule(stateMetadataTable, ['metadata'], ofOtherAssistant),
  rule('state.metadata.run_id.same', {
    each: sleepingStates,
    evaluate({ run, id }) {
      const name = '`run_id` of the metadata of a state while a run executes'
      return verify(keyOf(id) === keyOf(run.id), name, `its id, ${run.id}`, id)
    },
  }),
]
