import type { KnownRun } from './known-run.ts'

/** Filter expression with its meaning. */
export interface Expression {
  readonly text: string
  /** Expressions that a service would evaluate if it ignored a part of this one. */
  readonly wider?: readonly Expression[]
  /** Whether a run passes; undefined if the specification does not say. */
  passes(run: KnownRun): boolean | undefined
}

/** `eq(field, value)`. */
export function eq(field: 'name' | 'run_type', value: string): Expression {
  const equals = equality(value)
  return { text: `eq(${field}, ${quoted(value)})`, passes: (run) => equals(run[field]) }
}

/** `like(name, pattern)`. */
export function like(pattern: string): Expression {
  const matches = likeness(pattern)
  const anywhere = `%${pattern.replaceAll('%', '')}%`
  return {
    text: `like(name, ${quoted(pattern)})`,
    wider: anywhere === pattern ? [] : [like(anywhere)],
    passes: ({ name }) => matches(name),
  }
}

/** `eq(input_key, key)`: passes runs whose inputs have the key. */
export function hasInput(key: string): Expression {
  return {
    text: `eq(input_key, ${quoted(key)})`,
    passes({ inputs }) {
      const value = inputs[key]
      // Unspecified: keys with an empty value, with a value that is not a string, and keys of nested objects.
      if (typeof value === 'string' && value !== '') return true
      return entriesIn(inputs).some(([name]) => name.toLowerCase() === key.toLowerCase()) ? undefined : false
    },
  }
}

/** `and(eq(input_key, key), eq(input_value, value))`, or with `like`: passes runs with the value under the key. */
export function input(key: string, operator: 'eq' | 'like', value: string): Expression {
  const matches = operator === 'eq' ? equality(value) : likeness(value)
  return {
    text: `and(eq(input_key, ${quoted(key)}), ${operator}(input_value, ${quoted(value)}))`,
    passes(run) {
      const own = run.inputs[key]
      if (typeof own === 'string' && matches(own) === true) return true
      if (hasInput(key).passes(run) === false) return false
      // Unspecified: whether the value may be that of another key, or of a nested object.
      const texts = entriesIn(run.inputs).map(([, inner]) =>
        typeof inner === 'string' ? inner : JSON.stringify(inner),
      )
      return texts.some((text) => matches(text) !== false) ? undefined : false
    },
  }
}

/** `and(…)`: passes runs that pass all parts. */
export function and(...parts: readonly Expression[]): Expression {
  return {
    text: `and(${parts.map(({ text }) => text).join(', ')})`,
    wider: parts,
    passes(run) {
      const results = parts.map((part) => part.passes(run))
      if (results.includes(false)) return false
      return results.includes(undefined) ? undefined : true
    },
  }
}

function quoted(value: string): string {
  return JSON.stringify(value)
}

// The specification does not say whether case matters: the result is undefined if it makes a difference.

function equality(value: string): (text: string) => boolean | undefined {
  return (text) => {
    if (text === value) return true
    return text.toLowerCase() === value.toLowerCase() ? undefined : false
  }
}

function likeness(pattern: string): (text: string) => boolean | undefined {
  const parts = pattern.split('%').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const [exact, loose] = ['s', 'si'].map((flags) => new RegExp(`^${parts.join('.*')}$`, flags)) as [RegExp, RegExp]
  return (text) => {
    if (exact.test(text)) return true
    return loose.test(text) ? undefined : false
  }
}

/** Keys and values of an object at any depth. */
function entriesIn(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [[key, inner] as const, ...entriesIn(inner)])
}
