import type { Level } from '../../reporters/model/report.ts'
import type { Fact, Subject } from './fields.ts'
import { parseTimestamp } from './timestamp.ts'

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const isoForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?$/i
const offsetForm = /(Z|[+-]\d{2}(:?\d{2})?)$/i

/** Parts of a fact that a caller can override. */
export type FactOptions = Partial<Pick<Fact, 'key' | 'level' | 'interpretation' | 'profile' | 'statement' | 'broken'>>

/** The object has the field. */
export function present(options: FactOptions = {}): Fact {
  return {
    key: 'present',
    level: 'MUST',
    statement: 'is present',
    problem: (value) => (value === undefined ? { expected: 'present' } : undefined),
    broken: { absent: true },
    ...options,
  }
}

/** The object has the field even if its value is null, false or empty. The field may be absent instead, so this is a SHOULD. */
export function shouldBePresent(options: FactOptions = {}): Fact {
  return present({
    level: 'SHOULD',
    statement: 'is present even if it is null, false or empty',
    interpretation: 'The field may be absent instead of null, false or empty, so its presence is a SHOULD.',
    ...options,
  })
}

/** Creates a fact about the value of a field. It passes absent fields: another requirement tests presence. */
function valueFact(
  key: string,
  statement: string,
  expected: string,
  passes: (value: unknown, subject: Subject) => boolean,
  broken: unknown,
  options: FactOptions = {},
): Fact {
  return {
    key,
    level: 'MUST' satisfies Level,
    statement,
    problem: (value, subject) => (value === undefined || passes(value, subject) ? undefined : { expected }),
    broken: { value: broken },
    ...options,
  }
}

/** The value is a string. */
export function string(options: FactOptions = {}): Fact {
  return valueFact('type', 'is a string', 'a string', (value) => typeof value === 'string', 7, options)
}

/** The value is a boolean. */
export function boolean(): Fact {
  return valueFact('type', 'is a boolean', 'true or false', (value) => typeof value === 'boolean', 'no')
}

/** The value is an integer. */
export function integer(): Fact {
  return valueFact('type', 'is an integer', 'an integer', Number.isInteger, '1')
}

/** The value is an object, not an array. */
export function object(): Fact {
  return valueFact('type', 'is an object', 'an object', isObject, 'text')
}

/** The value is an array. */
export function array(): Fact {
  return valueFact('type', 'is an array', 'an array', Array.isArray, { 0: 'not an array' })
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

/** Whether a value is a UUID. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidForm.test(value)
}

/** Returns the UUIDs in a text, each once. */
export function uuidsIn(text: string): readonly string[] {
  return [...new Set(text.match(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi))]
}

/** Whether two values are equal; the digits of UUIDs may be in any case. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || (isUuid(a) && isUuid(b) && a.toLowerCase() === b.toLowerCase())
}

/** The string is a UUID of any version, in upper or lower case. */
export function uuid(): Fact {
  return valueFact(
    'uuid',
    'is a UUID',
    'a UUID',
    (value) => typeof value !== 'string' || uuidForm.test(value),
    undefined,
    { broken: { change: (value) => `id-${value}` } },
  )
}

/** The string is an ISO 8601 timestamp with `-` and `:` between the numbers. */
export function iso8601(): Fact {
  return valueFact(
    'iso8601',
    'is an ISO 8601 timestamp',
    'an ISO 8601 timestamp',
    (value) => typeof value !== 'string' || (isoForm.test(value) && !Number.isNaN(parseTimestamp(value))),
    'yesterday at noon Z',
    {
      interpretation:
        'A date and a time with `-` and `:` between the numbers pass; seconds and their fraction are optional.',
    },
  )
}

/** The timestamp ends with an offset from UTC or `Z`. */
export function offset(): Fact {
  return valueFact(
    'offset',
    'includes an offset from UTC',
    'a timestamp that ends with Z or an offset such as +00:00',
    (value) => typeof value !== 'string' || offsetForm.test(value),
    '2026-01-31T12:00:00.000',
    { interpretation: '`Z` and any offset pass.' },
  )
}

/** The value equals an expected value, compared as JSON. */
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

/** The value equals another one, such as a value of the request. It passes if the other one is unknown. */
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
    (value, subject) => [undefined, value].some((each) => isSame(other(subject), each)),
    broken,
    options,
  )
  return {
    ...fact,
    problem: (value, subject) => {
      if (fact.problem(value, subject) === undefined) return undefined
      const expected = JSON.stringify(other(subject))
      return { expected, ...(!statement.includes(`\`${other(subject)}\``) && { value: expected }) }
    },
  }
}

/** The value passes a test. */
export function matches(
  key: string,
  statement: string,
  test: (value: unknown, subject: Subject) => boolean,
  broken: unknown,
  options: FactOptions = {},
): Fact {
  return valueFact(key, statement, `a value that ${statement}`, test, broken, options)
}

/** Whether a value is an object, not null and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
