import type { Level } from '../../reporters/model/report.ts'
import type { RequirementId } from './generated/ids.ts'
import type { Profile, Requirement } from './requirement.ts'

/** Path into a response body: keys, or `*` for every element of an array and every value of an object. */
export type ResponsePath = readonly string[]

/** Endpoint whose response contains the object that a table describes. */
export interface ResponsePlace {
  readonly method: 'GET' | 'POST'
  /** Path template, `/threads/{thread_id}/runs`. */
  readonly path: string
  /** Path to the object in the body, or in the data of a stream event if `event` is set. */
  readonly at: ResponsePath
  readonly event?: string
  /** Selects the objects that the table describes; all when absent. */
  readonly where?: (object: unknown) => boolean
}

/** Object from a response that facts are tested on. */
export interface Subject {
  /** Name of the place it comes from, for failure messages. */
  readonly label: string
  readonly value: unknown
  /** Values to compare fields with. */
  readonly root?: unknown
}

/** Fact about one field; each is one requirement. */
export interface Fact {
  /** Last part of the requirement's id: `present`, `type`, `default`, … */
  readonly key: string
  readonly level: Level
  /** Continues the sentence "`field` of a thread …". */
  readonly statement: string
  readonly interpretation?: string
  readonly profile?: Profile
  /** Returns what was expected, or undefined if the fact is true. An absent field is undefined. */
  readonly problem: (value: unknown, subject: Subject) => FactProblem | undefined
  /**
   * A change that breaks this fact and no other, for mutants: leave the field out, replace or change its value.
   * `alsoBreaks` is another fact of the field that no change spares.
   */
  readonly broken:
    | { readonly absent: true }
    | { readonly value: unknown }
    | { readonly change: (value: unknown) => unknown; readonly alsoBreaks?: string }
}

/** Expected value of a field, for failure messages. */
interface FactProblem {
  readonly expected: string
  /** The expected value, if the statement only describes it. */
  readonly value?: string
  /** The part of the received value that is wrong. @default the whole value */
  readonly received?: string
}

/** Field and the facts about it. */
export interface Field {
  readonly name: string
  readonly facts: readonly Fact[]
}

/** Fields of one object of the specification. Its requirements, its check and its mutants are derived from this table. */
export interface FieldTable {
  /** First part of the ids: `thread.fields`. */
  readonly prefix: string
  readonly area: Requirement['area']
  readonly section: string
  /** Name of the object, for statements: "a thread". */
  readonly subject: string
  readonly places: readonly ResponsePlace[]
  /** Facts of a field are in order of dependence: if a MUST fact fails, later facts of the field are blocked by it. */
  readonly fields: readonly Field[]
  readonly profile?: Profile
}

/**
 * Declares a field and the facts about it.
 *
 * @example
 * field('created_at', present(), string(), iso8601(), offset())
 */
export function field(name: string, ...facts: readonly Fact[]): Field {
  return { name, facts }
}

/**
 * Returns the id of a fact's requirement.
 *
 * @example
 * factId(threadTable, field('status'), present()) // 'thread.fields.status.present'
 */
export function factId(table: FieldTable, { name }: Field, fact: Fact): string {
  return `${table.prefix}.${name}.${fact.key}`
}

/** Describes the defect of a server that breaks a fact. */
export function factDefect(table: FieldTable, { name }: Field, { statement }: Fact): string {
  return `\`${name}\` of ${table.subject} violates "${statement}"`
}

/** Returns the ids of the requirements of tables. */
export function fieldIds(...tables: readonly FieldTable[]): readonly RequirementId[] {
  return tables.flatMap(fieldRequirements).map(({ id }) => id as RequirementId)
}

/** Returns the requirements of a table, one for each fact. */
export function fieldRequirements(table: FieldTable): readonly Requirement[] {
  return table.fields.flatMap((described) =>
    described.facts.map((fact) => {
      const profile = fact.profile ?? table.profile
      return {
        id: factId(table, described, fact),
        area: table.area,
        section: table.section,
        level: fact.level,
        statement: `\`${described.name}\` of ${table.subject} ${fact.statement}.`,
        ...(fact.interpretation === undefined ? {} : { interpretation: fact.interpretation }),
        ...(profile === undefined ? {} : { profile }),
      }
    }),
  )
}
