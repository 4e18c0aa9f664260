import type { Level } from '../../reporters/model/report.ts'
import type { Fact, Subject } from './fields.ts'

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const isoForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?$/i
const offsetForm = /(Z|[+-]\d{2}(:?\d{2})?)$/i

/** What may vary in a fact. */
export type FactOptions = Partial<Pick<Fact, 'key' | 'level' | 'interpretation' | 'profile' | 'statement' | 'broken'>>

/** The field stands in the object. */
export function present(options: FactOptions = {}): Fact {
  return {
    key: 'present',
    level: 'MUST',
    statement: 'is present',
    problem: (value) => (value === undefined ? { expected: 'the field to be present' } : undefined),
    broken: { absent: true },
    ...options,
  }
}

/** The field stands in the object although its value may be null, false or empty: absent is as good, so only advised. */
export function shown(options: FactOptions = {}): Fact {
  return present({
    level: 'SHOULD',
    statement: 'is present also where it is null, false or empty',
    interpretation: 'Absent is as good as null, false or empty: presence is advised.',
    ...options,
  })
}

/** Facts about the value hold of an absent field: presence is a row of its own. */
function valueFact(
  key: string,
  statement: string,
  expected: string,
  holds: (value: unknown, subject: Subject) => boolean,
  broken: unknown,
  options: FactOptions,
): Fact {
  return {
    key,
    level: 'MUST' satisfies Level,
    statement,
    problem: (value, subject) => (value === undefined || holds(value, subject) ? undefined : { expected }),
    broken: { value: broken },
    ...options,
  }
}

export function string(options: FactOptions = {}): Fact {
  return valueFact('type', 'is a string', 'a string', (value) => typeof value === 'string', 7, options)
}

export function boolean(options: FactOptions = {}): Fact {
  return valueFact('type', 'is a boolean', 'true or false', (value) => typeof value === 'boolean', 'no', options)
}

export function integer(options: FactOptions = {}): Fact {
  return valueFact('type', 'is an integer', 'an integer', Number.isInteger, '1', options)
}

export function object(options: FactOptions = {}): Fact {
  return valueFact('type', 'is an object', 'an object', isObject, 'text', options)
}

export function array(options: FactOptions = {}): Fact {
  return valueFact('type', 'is an array', 'an array', Array.isArray, { 0: 'not an array' }, options)
}

/** The value is null or passes the other fact. */
export function nullOr(fact: Fact): Fact {
  return {
    ...fact,
    statement: `${fact.statement} or null`,
    problem: (value, subject) => {
      const problem = value === null ? undefined : fact.problem(value, subject)
      return problem && { expected: `${problem.expected} or null` }
    },
  }
}

/** Whether a value is a string in UUID form. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidForm.test(value)
}

/** The string has the form of a UUID, in any case and version. */
export function uuid(options: FactOptions = {}): Fact {
  return valueFact(
    'uuid',
    'is in UUID form',
    'a string in UUID form',
    (value) => typeof value !== 'string' || uuidForm.test(value),
    undefined,
    { broken: { change: (value) => `id-${value}` }, ...options },
  )
}

/** The string is an ISO 8601 timestamp with any fraction. */
export function iso8601(options: FactOptions = {}): Fact {
  return valueFact(
    'iso8601',
    'is an ISO 8601 timestamp',
    'an ISO 8601 timestamp',
    (value) => typeof value !== 'string' || (isoForm.test(value) && !Number.isNaN(Date.parse(value.replace(',', '.')))),
    'yesterday at noon Z',
    { interpretation: 'Any fraction of a second is allowed.', ...options },
  )
}

/** The timestamp ends with an offset from UTC, `Z` included. */
export function offset(options: FactOptions = {}): Fact {
  return valueFact(
    'offset',
    'tells its offset from UTC',
    'a timestamp that ends with Z or an offset such as +00:00',
    (value) => typeof value !== 'string' || offsetForm.test(value),
    '2026-01-31T12:00:00.000',
    { interpretation: 'Any offset is allowed, Z included.', ...options },
  )
}

/** The value has the given JSON form at the time the document speaks of. */
export function equals(
  key: string,
  statement: string,
  expected: unknown,
  broken: unknown,
  options: FactOptions = {},
): Fact {
  const wanted = JSON.stringify(expected)
  return valueFact(key, statement, wanted, (value) => JSON.stringify(value) === wanted, broken, options)
}

/** The value equals one found elsewhere in the answer. */
export function sameAs(
  key: string,
  statement: string,
  other: (subject: Subject) => unknown,
  broken: unknown,
  options: FactOptions = {},
): Fact {
  const fact = valueFact(
    key,
    statement,
    'the same value',
    (value, subject) => value === other(subject),
    broken,
    options,
  )
  return {
    ...fact,
    problem: (value, subject) => fact.problem(value, subject) && { expected: JSON.stringify(other(subject)) },
  }
}

/** The value passes a test of its own. */
export function holds(
  key: string,
  statement: string,
  test: (value: unknown, subject: Subject) => boolean,
  broken: unknown,
  options: FactOptions = {},
): Fact {
  return valueFact(key, statement, `a value that ${statement}`, test, broken, options)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
