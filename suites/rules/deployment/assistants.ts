import { isDeepStrictEqual } from 'node:util'
import { assistantTable } from '../../catalog/deployment/assistant.ts'
import { firstDifference } from '../../catalog/difference.ts'
import { isObject } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { type DeploymentModel, keyOf } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { deployedGraphs } from '../../model/graphs.ts'
import { at, show, textAt } from '../../values/json.ts'
import { isSameTime, timeOf, updatedBeforeCreated } from '../../values/timestamps.ts'
import {
  acceptsCaller,
  freshIdRule,
  hasFieldOf,
  responds,
  responsesTo,
  type ShownObject,
  statusAndBody,
  updatedNotBeforeCreatedRule,
} from '../common.ts'
import { equal, mismatch, type Rule, rule, type Subject, verify } from '../rule.ts'
import { assistantsShown } from './assistant-fields.ts'

const create = 'POST /assistants'
const read = 'GET /assistants/{assistant_id}'

/**
 * Creations that the server must accept: with credentials, and with the name of a deployed graph. It may refuse one that
 * equals another one.
 */
function* attempts(model: DeploymentModel): Iterable<Subject & { readonly config: unknown }> {
  const graphs = deployedGraphs(model.endpoint)
  const accepted = new Set(created(model).map(({ exchange }) => requested(exchange)))
  for (const exchange of model.attempts(create)) {
    if (!exchange.accepted && accepted.has(requested(exchange))) continue
    if (exchange.status === 401 && !acceptsCaller(model, exchange)) continue
    if (!graphs.includes(textAt(exchange.request, 'graph_id') ?? '')) continue
    yield { exchange, config: at(exchange.request, 'config') }
  }
}

/** Whether the server creates assistants at all. */
function createsAny(model: DeploymentModel): boolean {
  return select(model, attempts).some(({ exchange }) => exchange.accepted)
}

/** Creates a rule: the server accepts creations with or without a config. */
function acceptsRule(
  requirement: RequirementId,
  isCase: (config: unknown, creation: Exchange) => boolean,
): Rule<DeploymentModel> {
  return rule(requirement, {
    each: attempts,
    when: ({ config, exchange }) => isCase(config, exchange),
    evaluate: (subject, model) =>
      createsAny(model) ? responds(subject, 'any body', () => true) : 'assistant.create.answers-assistant',
  })
}

const created = responsesTo(create)

/** The part of a creation that identifies it: identical requests may return the same assistant. */
function requested({ request }: Exchange): string {
  return JSON.stringify([at(request, 'graph_id'), at(request, 'config')])
}

/** The first of identical creations. */
function* distinct(model: DeploymentModel): Iterable<ShownObject> {
  for (const same of Map.groupBy(created(model), ({ exchange }) => requested(exchange)).values())
    yield* same.slice(0, 1)
}

/** Creations that lack only `graph_id`. */
function* withoutGraph({ exchanges }: DeploymentModel): Iterable<Subject> {
  for (const exchange of exchanges) {
    const { operation, intent, request, fate } = exchange
    if (operation !== create || intent !== 'fault' || fate !== 'answered' || !isObject(request)) continue
    if (!('graph_id' in request)) yield { exchange }
  }
}

/** Whether a value equals the expected one, except that objects may have more keys. */
function contains(value: unknown, expected: unknown): boolean {
  if (!isObject(expected)) return isDeepStrictEqual(value, expected)
  return isObject(value) && Object.entries(expected).every(([key, part]) => contains(value[key], part))
}

function hasConfigurableType(assistant: unknown): boolean {
  const configurable = at(assistant, 'config', 'configurable')
  return configurable === undefined || isObject(configurable)
}

function creationsById(model: DeploymentModel) {
  return Map.groupBy(model.of(create), ({ json }) => keyOf(at(json, 'assistant_id')))
}

/** Returns the documented creations of assistants by `keyOf` of their ids, except ids that different requests returned. */
export function createdAssistants(model: DeploymentModel): ReadonlyMap<string, Exchange> {
  return derive(model, unambiguousCreations)
}

function unambiguousCreations(model: DeploymentModel): ReadonlyMap<string, Exchange> {
  const known = new Map<string, Exchange>()
  for (const [id, [first, ...others]] of derive(model, creationsById)) {
    if (id === undefined || first === undefined) continue
    if (others.every((other) => requested(other) === requested(first))) known.set(id, first)
  }
  return known
}

/** Returns the creation of an assistant; undefined if the trace does not show it, or if different requests returned the same id. */
export function creationOf(model: DeploymentModel, id: unknown): Exchange | undefined {
  return createdAssistants(model).get(keyOf(id) ?? '')
}

/** Records of assistants in reads and searches after their creation. */
function* shownAgain(model: DeploymentModel): Iterable<ShownObject & { readonly creation: Exchange }> {
  for (const { exchange, value } of select(model, assistantsShown)) {
    const creation = creationOf(model, at(value, 'assistant_id'))
    const same = derive(model, creationsById).get(keyOf(at(value, 'assistant_id'))) ?? []
    // An assistant that several creations returned may have changed with each of them.
    if (creation === undefined || same.length > 1) continue
    if (exchange.operation !== create) yield { exchange, value, creation, setup: [creation] }
  }
}

/** How much more than the time between two requests `updated_at` may change, in milliseconds: clocks differ. */
const toleranceMs = 10 * 60_000

/**
 * Returns those of the fields in which two records differ; a field that one of them lacks fails another requirement. What
 * updates an assistant is unspecified: `updated_at` may be up to `passedMs` later.
 */
function changedFields(names: readonly string[], before: unknown, after: unknown, passedMs: number): readonly string[] {
  return names.filter((name) => {
    const [a, b] = [at(before, name), at(after, name)]
    if (a === undefined || b === undefined) return false
    if (!name.endsWith('_at')) return !isDeepStrictEqual(a, b)
    const [earlier, later] = [timeOf(a), timeOf(b)]
    if (earlier === undefined || later === undefined || isSameTime(a, b)) return false
    return name !== 'updated_at' || later < earlier || later - earlier > passedMs + toleranceMs
  })
}

function asCreatedRule(requirement: RequirementId, isPlace: (exchange: Exchange) => boolean): Rule<DeploymentModel> {
  return rule(requirement, {
    each: shownAgain,
    when: ({ exchange }) => isPlace(exchange),
    evaluate: ({ exchange, value, creation }) => {
      // A time before `created_at` fails a requirement of its own.
      const kept = [
        'graph_id',
        'config',
        'metadata',
        'created_at',
        ...(updatedBeforeCreated(value) ? [] : ['updated_at']),
      ]
      const names = changedFields(kept, creation.json, value, exchange.endedAt - creation.sentAt)
      const fields = (record: unknown) => Object.fromEntries(names.map((name) => [name, at(record, name)]))
      return equal('a created assistant', fields(value), fields(creation.json))
    },
  })
}

/** The ids of assistants that several callers read. Requirements of authentication decide about them. */
function sharedIds({ exchanges }: DeploymentModel): ReadonlySet<string | undefined> {
  const reads = exchanges.filter(({ operation }) => operation === read)
  const byId = Map.groupBy(reads, ({ params }) => keyOf(params['assistant_id']))
  const isShared = (same: readonly Exchange[]) => same.some(({ caller }) => caller !== same[0]?.caller)
  return new Set([...byId].flatMap(([id, same]) => (isShared(same) ? [id] : [])))
}

/** Whether a caller created an assistant before it sent a request, and no other caller reads it. */
export function isOwn(model: DeploymentModel, id: string, creation: Exchange, request: Exchange): boolean {
  if (creation.caller !== request.caller || creation.endedAt > request.sentAt) return false
  return !derive(model, sharedIds).has(id)
}

/** Reads of assistants by the callers who created them. */
export function* ownReads(model: DeploymentModel): Iterable<Subject> {
  for (const exchange of model.attempts(read)) {
    const id = keyOf(exchange.params['assistant_id']) ?? ''
    const creation = createdAssistants(model).get(id)
    if (creation !== undefined && isOwn(model, id, creation, exchange)) yield { exchange, setup: [creation] }
  }
}

/** Rules about the creation and the reading of assistants. */
export const assistantRules: readonly Rule<DeploymentModel>[] = [
  rule('assistant.create.answers-assistant', {
    each: attempts,
    when: ({ exchange }, model) => exchange.accepted || !createsAny(model),
    evaluate: (subject) => responds(subject, 'an assistant', hasFieldOf(assistantTable)),
  }),
  // If an equal assistant exists since an earlier test run, the server may refuse another one.
  acceptsRule('assistant.create.config-optional', (config, { status }) => config === undefined && status !== 409),
  acceptsRule('assistant.create.config-accepted', isObject),
  rule('assistant.create.graph_id-required', {
    each: withoutGraph,
    evaluate: ({ exchange }) =>
      exchange.accepted && textAt(exchange.json, 'assistant_id') !== undefined
        ? mismatch('the response to POST /assistants without `graph_id`', 'no assistant', statusAndBody(exchange))
        : undefined,
  }),
  rule('assistant.create.graph_id-kept', {
    each: created,
    when: ({ value }) => typeof at(value, 'graph_id') === 'string',
    evaluate: ({ exchange, value }) =>
      equal('`graph_id` of a created assistant', at(value, 'graph_id'), at(exchange.request, 'graph_id')),
  }),
  rule('assistant.create.config-kept', {
    each: created,
    when: ({ exchange, value }) => isObject(at(exchange.request, 'config')) && isObject(at(value, 'config')),
    evaluate: ({ exchange, value }) => {
      if (!hasConfigurableType(value)) return 'assistant.config.configurable-type'
      const [config, kept] = [at(exchange.request, 'config'), at(value, 'config')]
      if (contains(kept, config)) return undefined
      const { path, received, expected } = firstDifference({ config: kept }, { config }, contains)
      return mismatch(`\`${path}\` of a created assistant`, show(expected), show(received))
    },
  }),
  rule('assistant.config.configurable-type', {
    each: assistantsShown,
    when: ({ value }) => isObject(at(value, 'config')),
    evaluate({ value }) {
      const received = at(value, 'config', 'configurable')
      return verify(hasConfigurableType(value), '`config.configurable` of an assistant', 'an object', received)
    },
  }),
  freshIdRule('assistant.create.fresh-id', distinct, 'assistant_id'),
  updatedNotBeforeCreatedRule('assistant.updated-not-before-created', (model: DeploymentModel) => [
    ...created(model),
    ...select(model, ownReads).map((read) => ({ ...read, value: read.exchange.json })),
  ]),
  rule('assistant.get.answers-assistant', {
    each: ownReads,
    evaluate: (subject) => responds(subject, 'an assistant', hasFieldOf(assistantTable)),
  }),
  rule('assistant.get.that-assistant', {
    each: responsesTo(read),
    when: ({ exchange }) => textAt(exchange.json, 'assistant_id') !== undefined,
    evaluate: ({ exchange }) => {
      const [id, named] = [at(exchange.json, 'assistant_id'), exchange.params['assistant_id']]
      return keyOf(id) === keyOf(named) ? undefined : equal('the assistant that the path names', id, named)
    },
  }),
  asCreatedRule(
    'assistant.get.as-created',
    ({ operation, params, json }) =>
      operation === read && keyOf(params['assistant_id']) === keyOf(at(json, 'assistant_id')),
  ),
  asCreatedRule('assistant.search.as-created', ({ operation }) => operation === 'POST /assistants/search'),
]
