import type { KnownRun } from './known-run.ts'

/** A filter and what it means, told by rules of our own. */
export interface Expression {
  readonly text: string
  /** What a service may take it for that does not look at all of it. */
  readonly wider?: readonly Expression[]
  /** Whether a run passes; undefined where the document leaves that open. */
  passes(run: KnownRun): boolean | undefined
}

/** `eq(field, value)`. */
export function eq(field: 'name' | 'run_type', value: string): Expression {
  const holds = equality(value)
  return { text: `eq(${field}, ${quoted(value)})`, passes: (run) => holds(run[field]) }
}

/** `like(name, pattern)`. */
export function like(pattern: string): Expression {
  const holds = likeness(pattern)
  const anywhere = `%${pattern.replaceAll('%', '')}%`
  return {
    text: `like(name, ${quoted(pattern)})`,
    wider: anywhere === pattern ? [] : [like(anywhere)],
    passes: ({ name }) => holds(name),
  }
}

/** `eq(input_key, key)`: the inputs have that key. */
export function hasInput(key: string): Expression {
  return {
    text: `eq(input_key, ${quoted(key)})`,
    passes({ inputs }) {
      const own = inputs[key]
      // Whether keys of empty values, of nested ones and of other types than text count is left open.
      if (typeof own === 'string' && own !== '') return true
      return entriesIn(inputs).some(([name]) => name.toLowerCase() === key.toLowerCase()) ? undefined : false
    },
  }
}

/** The key of an input and its value in one `and`: the inputs have that value under that key. */
export function input(key: string, operator: 'eq' | 'like', value: string): Expression {
  const holds = operator === 'eq' ? equality(value) : likeness(value)
  return {
    text: `and(eq(input_key, ${quoted(key)}), ${operator}(input_value, ${quoted(value)}))`,
    passes(run) {
      const own = run.inputs[key]
      if (typeof own === 'string' && holds(own) === true) return true
      if (hasInput(key).passes(run) === false) return false
      // The value of another input, or deeper in one, may count.
      const others = entriesIn(run.inputs).map(([, inner]) =>
        typeof inner === 'string' ? inner : JSON.stringify(inner),
      )
      return others.some((one) => holds(one) !== false) ? undefined : false
    },
  }
}

/** `and(…)`. */
export function and(...parts: readonly Expression[]): Expression {
  return {
    text: `and(${parts.map(({ text }) => text).join(', ')})`,
    wider: parts,
    passes(run) {
      const found = parts.map((part) => part.passes(run))
      if (found.includes(false)) return false
      return found.includes(undefined) ? undefined : true
    },
  }
}

function quoted(value: string): string {
  return JSON.stringify(value)
}

/** Whether case counts is left open where it makes the difference. */
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

/** All keys and values in an object, however deep. */
function entriesIn(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [[key, inner] as const, ...entriesIn(inner)])
}
