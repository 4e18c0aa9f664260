import { isDeepStrictEqual } from 'node:util'
import { isDefaultAssistant } from '../../catalog/deployment/assistant.ts'
import { firstDifference } from '../../catalog/difference.ts'
import { isObject, isUuid } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { type DeploymentModel, keyOf, type RunView, returnedEarlier, threadStates } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { deployedGraphs, executingGraph } from '../../model/graphs.ts'
import { createRun } from '../../model/operations.ts'
import { inputText } from '../../model/test-graphs.ts'
import { at, listAt, parseJson, show, textAt } from '../../values/json.ts'
import { messageTexts } from '../../values/messages.ts'
import { equal, mismatch, type Rule, rule, type Subject, verify, verifyNone } from '../rule.ts'
import { createdAssistants, creationOf } from './assistants.ts'
import { formRule } from './forms.ts'

/** A state in which the graph `whoami` shows the settings with which an assistant ran it. */
interface Settings extends Subject {
  /** Undefined for a default assistant, which has no settings. */
  readonly marker: unknown
  readonly received: unknown
  /** All settings of scenarios. */
  readonly given: object
  readonly shown: object
}

function settingsOf(config: unknown): Readonly<Record<string, unknown>> {
  const configurable = Object.entries(Object(at(config, 'configurable')))
  return Object.fromEntries(configurable.filter(([name]) => name.startsWith('touchstone_')))
}

const markerOf = (config: unknown): unknown => at(config, 'configurable', 'touchstone_marker')

function* settings(model: DeploymentModel): Iterable<Settings> {
  for (const { exchange, thread } of select(model, threadStates)) {
    if (thread.hasUnknownEffects) continue
    const texts = messageTexts(exchange.json)
    const earlier = new Set<unknown>()
    for (const request of thread.runCreations) {
      const named = textAt(request.request, 'assistant_id')
      const creation = creationOf(model, named)
      const marker = markerOf(at(creation?.request, 'config'))
      // A thread may keep the settings of its first run, also of one of an assistant that a probe created.
      const kept = new Set(earlier)
      const used = markerOf(at(model.assistants.get(keyOf(named) ?? '')?.creation.request, 'config'))
      if (used !== undefined) earlier.add(used)
      const isPlain = creation !== undefined && at(creation.request, 'config') === undefined
      if (marker === undefined && !isPlain && !runsDefault(model, request)) continue
      if (executingGraph(model, named) !== model.endpoint.graphs['whoami']) continue
      // The graph responds to the input, whose text no other run has.
      const index = texts.indexOf(inputText(request.request) ?? '')
      const config = index < 0 ? undefined : parseJson(texts[index + 1] ?? '')
      if (at(config, 'configurable') === undefined || kept.has(markerOf(config))) continue
      const [given, shown] = [settingsOf(at(creation?.request, 'config')), settingsOf(config)]
      yield { exchange, setup: [creation, request], marker, received: markerOf(config), given, shown }
    }
  }
}

/** Whether a request names a graph, and its run is not one of a created assistant, which fails another requirement. */
function runsDefault(model: DeploymentModel, { request, json }: Exchange): boolean {
  const isName = deployedGraphs(model.endpoint).includes(textAt(request, 'assistant_id') ?? '')
  // The response to a stream request shows no assistant.
  if (json === undefined) return isName
  return isName && isUuid(at(json, 'assistant_id')) && creationOf(model, at(json, 'assistant_id')) === undefined
}

/** Whether a run received settings of another assistant, instead of its own or in addition to them. */
function hasForeign(model: DeploymentModel, subject: Settings): boolean {
  const { marker, received } = subject
  if (marker === undefined || received === marker) return foreignNames(subject).length > 0
  return received !== undefined && derive(model, markers).has(received)
}

/** The names of settings that the assistant of the run does not have. */
const foreignNames = ({ given, shown }: Settings): readonly string[] =>
  Object.keys(shown).filter((name) => !(name in given))

/** Returns the settings of all created assistants. */
function markers(model: DeploymentModel): ReadonlySet<unknown> {
  const creations = [...createdAssistants(model).values()]
  return new Set(creations.map(({ request }) => markerOf(at(request, 'config'))))
}

const setting = 'the setting with which the graph runs'

/** Runs of created assistants that the request names by id. */
function* runsById({ runViews, assistants }: DeploymentModel): Iterable<RunView> {
  for (const view of runViews) {
    const named = keyOf(textAt(view.creation?.request, 'assistant_id'))
    if (named !== undefined && assistants.has(named)) yield view
  }
}

/** Returns the requirement that `assistant_id` fails in all runs of assistants that the request names by id. */
function failedByEveryId(model: DeploymentModel): RequirementId | undefined {
  const views = select(model, runsById)
  const isCorrect = ({ record, creation }: RunView) =>
    keyOf(at(record, 'assistant_id')) === keyOf(at(creation?.request, 'assistant_id'))
  if (views.length === 0 || views.some(isCorrect)) return undefined
  const id = at(views[0]?.record, 'assistant_id')
  if (id === undefined) return 'run.fields.assistant_id.present'
  if (typeof id !== 'string') return 'run.fields.assistant_id.type'
  return isUuid(id) ? 'run.fields.assistant_id.executes' : 'run.fields.assistant_id.uuid'
}

/** Runs that were created with the name of a graph. */
function* runsByName(model: DeploymentModel): Iterable<Subject> {
  const graphs = deployedGraphs(model.endpoint)
  for (const exchange of model.of(createRun)) {
    if (graphs.includes(textAt(exchange.request, 'assistant_id') ?? '') && !returnedEarlier(model, exchange))
      yield { exchange }
  }
}

/** Runs that were created with the name of a graph whose default assistants a search shows. */
function* runsOfDefault(model: DeploymentModel) {
  const marked = model.of('POST /assistants/search').flatMap(({ json }) => listAt(json).filter(isDefaultAssistant))
  const byGraph = Map.groupBy(marked, (assistant) => at(assistant, 'graph_id'))
  const uniqueIds = (same: readonly unknown[]) => [...new Set(same.map((each) => keyOf(at(each, 'assistant_id'))))]
  const idsOf = new Map([...byGraph].map(([graph, same]) => [graph, uniqueIds(same)]))
  for (const { exchange } of select(model, runsByName)) {
    const graph = at(exchange.request, 'assistant_id')
    const ids = idsOf.get(graph) ?? []
    const id = at(exchange.json, 'assistant_id')
    if (ids.length > 0 && !ids.includes(undefined) && isUuid(id)) yield { exchange, graph, ids, id }
  }
}

/** Runs that were created with the name of a graph, although a request created their assistant, with a config. */
function* runsOfConfigured(model: DeploymentModel) {
  for (const { exchange } of select(model, runsByName)) {
    const creation = creationOf(model, at(exchange.json, 'assistant_id'))
    if (markerOf(at(creation?.request, 'config')) !== undefined) yield { exchange, setup: [creation] }
  }
}

/** Records of created assistants that show the settings of another one. */
function* foreignConfigs(model: DeploymentModel) {
  const byId = createdAssistants(model)
  const markers = new Set([...byId.values()].map(({ request }) => markerOf(at(request, 'config'))))
  for (const exchange of model.exchanges)
    for (const record of exchange.accepted && exchange.intent !== 'probe' ? [exchange.json].flat() : []) {
      const creation = byId.get(keyOf(at(record, 'assistant_id')) ?? '')
      if (creation === undefined || at(record, 'graph_id') === undefined) continue
      const [own, shown] = [markerOf(at(creation.request, 'config')), markerOf(at(record, 'config'))]
      if (shown !== undefined && shown !== own && markers.has(shown)) yield { exchange, setup: [creation], shown }
    }
}

/** Rules about runs of assistants. */
export const assistantRunRules: readonly Rule<DeploymentModel>[] = [
  formRule('assistant.id.create-accepts', createRun, 'with the id of a created assistant', 'assistant', 'created'),
  formRule('assistant.name.create-accepts', createRun, 'with the name of a graph', 'assistant', 'graph'),
  formRule('assistant.default.runs', createRun, 'with the id of a default assistant', 'assistant', 'default'),
  rule('assistant.name.run-carries-uuid', {
    each: runsByName,
    when: ({ exchange }) => isObject(exchange.json),
    evaluate: ({ exchange }, model) => {
      const id = at(exchange.json, 'assistant_id')
      return (
        failedByEveryId(model) ?? verify(isUuid(id), '`assistant_id` of a run that a graph name created', 'a UUID', id)
      )
    },
  }),
  rule('assistant.config.reaches-graph', {
    each: settings,
    when: ({ marker }) => marker !== undefined,
    evaluate(subject, model) {
      const { marker, received, given, shown } = subject
      if (hasForeign(model, subject)) return 'assistant.config.own'
      if (received !== marker || isDeepStrictEqual(shown, given)) return equal(setting, received, marker)
      const difference = firstDifference(shown, given)
      return mismatch(`${setting}, \`${difference.path}\`,`, show(difference.expected), show(difference.received))
    },
  }),
  rule('assistant.config.own', {
    each: foreignConfigs,
    evaluate: ({ shown }) => verifyNone([String(shown)], 'settings of other assistants in the config of an assistant'),
  }),
  rule('assistant.config.own', {
    each: settings,
    // That an assistant without settings runs without them shows nothing if no other assistant has any.
    when: (subject, model) =>
      hasForeign(model, subject) || (subject.marker !== undefined && subject.received === subject.marker),
    evaluate: (subject) =>
      (subject.marker === undefined ? undefined : equal(setting, subject.received, subject.marker)) ??
      verifyNone(foreignNames(subject), 'settings of other assistants in the config of the graph'),
  }),
  rule('assistant.name.run-of-default', {
    each: runsOfDefault,
    evaluate: ({ id, ids, graph }, model) =>
      failedByEveryId(model) ??
      verify(
        ids.includes(keyOf(id)),
        `\`assistant_id\` of a run of the graph ${graph}`,
        `${ids.join()}, its default assistant`,
        id,
      ),
  }),
  rule('assistant.name.run-of-default', {
    each: runsOfConfigured,
    evaluate: ({ exchange: { request, json } }, model) =>
      failedByEveryId(model) ??
      mismatch(
        `the assistant of a run of the graph ${at(request, 'assistant_id')}`,
        'the default one, which has no config',
        `${at(json, 'assistant_id')}, which a request created with a config`,
      ),
  }),
]
