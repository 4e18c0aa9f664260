import type { Level } from '../../reporters/model/report.ts'
import type { Profile, Requirement } from './requirement.ts'

/** A place in an answer: keys, with `*` for every element of an array and every value of an object. */
export type AnswerPath = readonly string[]

/** An endpoint whose answer holds the object that a table describes. */
export interface AnswerPlace {
  readonly method: 'GET' | 'POST'
  /** Path template, `/threads/{thread_id}/runs`. */
  readonly path: string
  /** Where the object stands in the body; in the data of a stream's event when `event` is given. */
  readonly at: AnswerPath
  readonly event?: string
  /** Which of the objects found there the table describes; all when absent. */
  readonly where?: (object: unknown) => boolean
}

/** An object that was seen, with the larger object that it belongs to. */
export interface Subject {
  /** Where it was seen, for the failure's text. */
  readonly label: string
  readonly value: unknown
  /** The whole answer: facts that compare with other fields look there. */
  readonly root?: unknown
}

/** One fact about one field. */
export interface Fact {
  /** Last part of the row's id: `present`, `type`, `default`, … */
  readonly key: string
  readonly level: Level
  /** Continues "`field` …". */
  readonly statement: string
  readonly interpretation?: string
  readonly profile?: Profile
  /** What is wrong with the value, or undefined when the fact holds. An absent field is undefined. */
  readonly problem: (value: unknown, subject: Subject) => FactProblem | undefined
  /** How a server would break this fact and no other: the field left out, another value, or a changed one. */
  readonly broken:
    | { readonly absent: true }
    | { readonly value: unknown }
    | { readonly change: (value: unknown) => unknown }
}

/** What was expected of a field. */
interface FactProblem {
  readonly expected: string
}

/** One row of a table of the document: a field and the facts about it. */
export interface Field {
  readonly name: string
  readonly facts: readonly Fact[]
}

/** A table of the document: its rows, the check that decides them and the mutants all come from it. */
export interface FieldTable {
  /** Start of the ids: `thread.fields`. */
  readonly prefix: string
  readonly area: Requirement['area']
  readonly section: string
  /** What has the fields: "a thread". */
  readonly subject: string
  readonly places: readonly AnswerPlace[]
  /** In order of dependence within a field: where a MUST fact fails, the later ones are blocked by it. */
  readonly fields: readonly Field[]
  readonly profile?: Profile
  /** The row that says that the object itself is there. */
  readonly needs: string
}

/** A field and its facts. */
export function field(name: string, ...facts: readonly Fact[]): Field {
  return { name, facts }
}

/** The id of a fact's row. */
export function factId(table: FieldTable, of: Field, fact: Fact): string {
  return `${table.prefix}.${of.name}.${fact.key}`
}

/** The register's rows of a table: one a fact. */
export function fieldRequirements(table: FieldTable): readonly Requirement[] {
  return table.fields.flatMap((of) =>
    of.facts.map((fact) => {
      const profile = fact.profile ?? table.profile
      return {
        id: factId(table, of, fact),
        area: table.area,
        section: table.section,
        level: fact.level,
        statement: `\`${of.name}\` of ${table.subject} ${fact.statement}.`,
        ...(fact.interpretation === undefined ? {} : { interpretation: fact.interpretation }),
        ...(profile === undefined ? {} : { profile }),
      }
    }),
  )
}
