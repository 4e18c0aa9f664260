import { configMetadataTable, configTable, configurableTable, kwargsTable } from '../../catalog/deployment/kwargs.ts'
import { runTable } from '../../catalog/deployment/run.ts'
import type { RequestedRun } from '../../catalog/deployment/run-places.ts'
import { isObject, isUuid } from '../../catalog/facts.ts'
import type { FieldTable } from '../../catalog/fields.ts'
import { type DeploymentModel, keyOf, type RunView } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { executingGraph } from '../../model/graphs.ts'
import { createRun } from '../../model/operations.ts'
import { at, textAt } from '../../values/json.ts'
import { type FieldSubject, fieldRule } from '../field-rule.ts'
import { equal, failureOf, type Rule, rule } from '../rule.ts'

/** Facts that compare a record with the request that created the run. */
const comparing = [
  'thread_id.own',
  'assistant_id.executes',
  'assistant_id.own',
  'graph_id.own',
  'run_id.own',
  'multitask_strategy.default',
  'multitask_strategy.given',
  'input.given',
  'stream_mode.default',
]

/** Fields of the request whose value replaces a default in the record. */
const withDefault = ['stream_mode', 'webhook', 'feedback_keys', 'interrupt_after', 'interrupt_before', 'checkpoint_id']

/** Records of runs that only documented requests created, with the values from the request. */
function* records(model: DeploymentModel): Iterable<FieldSubject & { readonly view: RunView }> {
  for (const view of model.runViews) {
    if (!isDocumented(view)) continue
    yield { ...comparison(view, model), exchange: view.exchange, value: view.record, view }
  }
}

/** Creates the rule of a table about run records, or about an object at a path in them. */
function recordRule(
  table: FieldTable,
  path: readonly string[],
  where: (view: RunView, model: DeploymentModel) => boolean = () => true,
): Rule<DeploymentModel> {
  return fieldRule(table, function* (model: DeploymentModel): Iterable<FieldSubject> {
    for (const subject of select(model, records)) {
      const { view } = subject
      if (where(view, model)) yield { ...subject, value: at(view.record, ...path) }
    }
  })
}

/** Whether only documented requests created the run of a record. */
function isDocumented({ creation, thread }: RunView): boolean {
  return creation === undefined ? thread?.hasUnknownEffects === false : creation.intent === 'documented'
}

/** Returns the values from the request of a run, and the facts for which the request has no value. */
function comparison(
  { run, creation, thread, record }: RunView,
  model: DeploymentModel,
): Omit<FieldSubject, 'exchange' | 'value'> {
  // A creation that returned the id of another run may have returned its record, too.
  const isAmbiguous = run === undefined && typeof at(record, 'run_id') === 'string'
  if (creation === undefined || isAmbiguous) return { unknown: new Set(comparing), setup: [thread?.creation] }
  const { request, params } = creation
  const named = textAt(request, 'assistant_id')
  const [threadId, graph] = [params['thread_id'], executingGraph(model, named)]
  const strategy = textAt(request, 'multitask_strategy')
  const isStreamed = creation.operation !== createRun
  // A run of an assistant that was not requested fails another requirement. Its other fields may be those of that assistant.
  const executes = keyOf(at(record, 'assistant_id')) ?? ''
  const runsAnother = isUuid(named)
    ? executes !== keyOf(named)
    : (model.defaultAssistants.get(executes) ?? graph) !== graph
  // A stream names the id of its run in an event. The name of a graph stands for its default assistant.
  const shownId = run && keyOf(at(record, 'run_id')) === keyOf(run.id) ? run.id : undefined
  const runId = (isStreamed ? undefined : textAt(creation.json, 'run_id')) ?? shownId
  const isDefault = graph !== undefined && model.defaultAssistants.get(executes) === graph
  const assistantId = isUuid(named) ? named : isDefault ? textAt(record, 'assistant_id') : undefined
  const root: RequestedRun = {
    ...(isUuid(threadId) ? { thread_id: threadId } : {}),
    ...(isUuid(assistantId) ? { assistant_id: assistantId } : {}),
    graph_id: graph ?? '',
    input: at(request, 'input'),
    ...(isUuid(runId) ? { run_id: runId } : {}),
    ...(strategy === undefined ? {} : { multitask_strategy: strategy }),
  }
  const unknown = [
    ...(isUuid(named) && executes !== '' ? [] : ['assistant_id.executes']),
    ...(isUuid(assistantId) && !runsAnother ? [] : ['assistant_id.own']),
    ...(graph === undefined || runsAnother ? ['graph_id.own'] : []),
    ...(root.input === undefined ? ['input.present', 'input.type', 'input.given'] : []),
    // The request of a stream names its mode.
    ...(isStreamed ? ['stream_mode.default'] : []),
    ...withDefault.filter((name) => at(request, name) !== undefined).map((name) => `${name}.default`),
  ]
  const assistant = model.assistants.get(keyOf(named) ?? '')
  return { root, unknown: new Set(unknown), setup: [thread?.creation, assistant?.creation, creation] }
}

/** Whether a run executes a default assistant. With custom authentication, which may hide them: whether it names a graph. */
function isOfDefault({ creation }: RunView, model: DeploymentModel): boolean {
  const named = textAt(creation?.request, 'assistant_id')
  if (model.endpoint.profile === 'custom-auth') return executingGraph(model, named) === named && named !== undefined
  return model.defaultAssistants.has(keyOf(named) ?? '')
}

const metadataPath = ['kwargs', 'config', 'metadata'] as const

const metadataOfDefault = recordRule(configMetadataTable, metadataPath, isOfDefault)

/** If default assistants have no such value or another one, their requirements fail. */
const defaultFailure = failureOf([metadataOfDefault], ({ requirement }) =>
  /\.created_by\.(present|system)$/.test(requirement),
)

const ofAnyAssistant = rule('run.kwargs.config.metadata.created_by.any-assistant', {
  each: records,
  when: ({ view }, model) =>
    model.assistants.has(keyOf(textAt(view.creation?.request, 'assistant_id')) ?? '') &&
    isObject(at(view.record, ...metadataPath)),
  evaluate: ({ view }, model) =>
    defaultFailure(view, model) ??
    equal('`created_by` of `kwargs.config.metadata`', at(view.record, ...metadataPath, 'created_by'), 'system'),
})

export const runFieldRules: readonly Rule<DeploymentModel>[] = [
  recordRule(runTable, []),
  recordRule(kwargsTable, ['kwargs']),
  recordRule(configTable, ['kwargs', 'config']),
  metadataOfDefault,
  recordRule(configurableTable, ['kwargs', 'config', 'configurable']),
  ofAnyAssistant,
]
