import { isDeepStrictEqual } from 'node:util'
import { levelOf } from '../catalog/catalog.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { derive, type EndpointModel, select } from '../model/endpoint.ts'
import type { Exchange } from '../model/exchange.ts'
import { show } from '../values/json.ts'

/** Something that a rule is applied to. */
export interface Subject {
  /** The exchange that decides; the last one of the evidence. */
  readonly exchange: Exchange
  /** Other exchanges that a reader needs; the evidence shows them first, in the order in which they were sent. */
  readonly setup?: readonly (Exchange | undefined)[]
  /** Text in the response that the evidence must show if it cuts the response. */
  readonly mustShow?: string
}

/** The items that a selector yields. */
export type ItemOf<Selector extends (model: never) => Iterable<unknown>> =
  ReturnType<Selector> extends Iterable<infer Item> ? Item : never

/** What a rule expected and what the trace shows. */
export interface Mismatch {
  /** Completes the sentence "expected …", naming the object and the difference. */
  readonly message: string
  readonly expected: string
  readonly received: string
  /** Where its object or field is in the response, for example `values.messages[2]`. */
  readonly path?: string
}

/** One application of a rule. */
export interface Case {
  readonly requirement: RequirementId
  readonly subject: Subject
  /** Undefined if the requirement passes here. */
  readonly mismatch?: Mismatch
  /** The failed requirement because of which this case decides nothing. */
  readonly blockedBy?: RequirementId
}

/** A pure function from a model to cases. */
export interface Rule<Model> {
  readonly requirements: readonly RequirementId[]
  readonly cases: (model: Model) => Iterable<Case>
}

/**
 * What an item shows about a requirement: undefined if it passes, a mismatch if it fails, false if the item does not decide
 * it, and the id of a failed requirement because of which it cannot be decided.
 */
type Result = Mismatch | undefined | false | RequirementId

/** Decides a requirement about one item. */
export type Evaluate<Model, Item> = (item: Item, model: Model) => Result

/** Returns the failed requirement because of which an item fails others; undefined if there is none. */
export type CauseOf<Model, Item = unknown> = (item: Item, model: Model) => RequirementId | undefined

/** What a rule is applied to, and how. */
export interface RuleDefinition<Model, Item> {
  /** Selects the items; equal selectors are applied once for all rules. */
  readonly each: (model: Model) => Iterable<Item>
  readonly when?: (item: Item, model: Model) => boolean
  readonly evaluate: Evaluate<Model, Item>
  /** Blocks a mismatch by its cause. Items without a mismatch still pass. */
  readonly causeOf?: CauseOf<Model, Item> | undefined
}

/**
 * Declares a rule about one requirement: `evaluate` is applied to each item for which `when` is true.
 *
 * @example
 * rule('run.create.status-pending', {
 *   each: createdRuns,
 *   evaluate: ({ record }) => equal('the status of a new run', at(record, 'status'), 'pending'),
 * })
 */
export function rule<Model extends EndpointModel, Item extends Subject>(
  requirement: RequirementId,
  { each, when = () => true, evaluate, causeOf = () => undefined }: RuleDefinition<Model, Item>,
): Rule<Model> {
  return {
    requirements: [requirement],
    *cases(model) {
      for (const subject of select(model, each)) {
        const result = when(subject, model) && evaluate(subject, model)
        if (result === false) continue
        if (typeof result === 'string') yield { requirement, subject, blockedBy: result }
        else yield caseOf(requirement, subject, result, result && causeOf(subject, model))
      }
    },
  }
}

/**
 * Declares a rule for each requirement of a table; all apply to the same items.
 *
 * @example
 * rules(streams, {
 *   'stream.metadata.first': ({ names }) =>
 *     names.includes('metadata') && verify(names[0] === 'metadata', 'the first event', 'metadata', names),
 * })
 */
export function rules<Model extends EndpointModel, Item extends Subject>(
  each: (model: Model) => Iterable<Item>,
  table: Readonly<Partial<Record<RequirementId, Evaluate<Model, Item>>>>,
  causeOf?: CauseOf<Model, Item>,
): readonly Rule<Model>[] {
  return Object.entries(table).map(([id, evaluate]) => rule(id as RequirementId, { each, evaluate, causeOf }))
}

/** Creates a case without the properties that are undefined. */
export function caseOf(
  requirement: RequirementId,
  subject: Subject,
  mismatch: Mismatch | undefined,
  blockedBy?: RequirementId,
): Case {
  // Nearly all cases pass, and a trace has hundreds of thousands.
  if (mismatch === undefined && blockedBy === undefined) return { requirement, subject }
  return { requirement, subject, ...(mismatch && { mismatch }), ...(blockedBy && { blockedBy }) }
}

/**
 * Creates a function that returns the first failed requirement of some rules.
 *
 * @example
 * rules(joins, { 'run.join.finished': … }, failureOf([joinIsAnswered]))
 */
export function failureOf<Model extends EndpointModel>(
  causes: readonly Rule<Model>[],
  isRelevant: (failing: Case, model: Model) => boolean = () => true,
): CauseOf<Model> {
  function failing(model: Model): RequirementId | undefined {
    for (const cause of causes) {
      for (const each of cause.cases(model)) {
        const { requirement, mismatch, blockedBy, subject } = each
        const isFailure =
          mismatch && !blockedBy && subject.exchange.intent !== 'probe' && levelOf(requirement) === 'MUST'
        if (isFailure && isRelevant(each, model)) return requirement
      }
    }
    return undefined
  }
  return (_, model) => derive(model, failing)
}

/** Returns a mismatch unless a condition is true; see `mismatch`. */
export function verify(condition: boolean, name: string, expected: string, received: unknown): Mismatch | undefined {
  return condition ? undefined : mismatch(name, expected, received)
}

/** Returns a mismatch unless a list of wrong values is empty. It contains the first three. */
export function verifyNone(wrong: readonly unknown[], name: string): Mismatch | undefined {
  if (wrong.length === 0) return undefined
  const received = firstThree(wrong)
  return { message: `expected no ${name}, received ${received}`, expected: 'none', received }
}

/** Returns a mismatch unless a list of missing values is empty. It contains the first three. */
export function verifyAll(missing: readonly unknown[], name: string, all: string): Mismatch | undefined {
  return verifyIncludes(missing.length === 0, name, all, `all but ${firstThree(missing)}`)
}

/** Shows the first three of some values, and how many more there are. */
export function firstThree(values: readonly unknown[]): string {
  const shown = values.slice(0, 3).map((each) => (typeof each === 'string' ? each : show(each, 400)))
  return `${shown.join('; ')}${values.length > 3 ? ` and ${values.length - 3} more` : ''}`
}

/** Returns a mismatch unless a condition is true: the value with a name does not contain a part. */
export function verifyIncludes(
  condition: boolean,
  name: string,
  part: string,
  received: unknown,
): Mismatch | undefined {
  if (condition) return undefined
  const shown = typeof received === 'string' ? received : show(received)
  return { message: `expected ${name} to include ${part}, received ${shown}`, expected: part, received: shown }
}

/** Returns the requirements that rules decide. */
export function requirementsOf(rules: readonly Pick<Rule<never>, 'requirements'>[]): readonly RequirementId[] {
  return rules.flatMap(({ requirements }) => requirements)
}

/** Returns those of some rules that decide one of some requirements. */
export function deciding<Model>(rules: readonly Rule<Model>[], ids: readonly RequirementId[]): readonly Rule<Model>[] {
  return rules.filter(({ requirements }) => requirements.some((id) => ids.includes(id)))
}

/** Compares a value with the expected one as JSON; `name` is the value's name in the message. */
export function equal(name: string, received: unknown, expected: unknown): Mismatch | undefined {
  return isDeepStrictEqual(received, expected)
    ? undefined
    : mismatch(name, show(expected), received === undefined ? 'nothing' : show(received))
}

/** Creates a mismatch; `name` is the value's name in the message. */
export function mismatch(name: string, expected: string, received: unknown): Mismatch {
  const shown = typeof received === 'string' ? received : received === undefined ? 'nothing' : show(received)
  return { message: `expected ${name} to be ${expected}, received ${shown}`, expected, received: shown }
}
