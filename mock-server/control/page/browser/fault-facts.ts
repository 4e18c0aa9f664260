import type { Fault } from '../../faults/fault.ts'
import { count } from './format.ts'

const FACTS: Readonly<Record<string, (value: unknown) => string>> = {
  status: String,
  ms: (value) => `${value} ms`,
  body: (value) => `body ${JSON.stringify(value)}`,
  headers: (value) => `headers ${JSON.stringify(value)}`,
  retryAfter: (value) => `Retry-After ${value} s`,
  after: (value) => `after ${count(Number(value), 'event')}`,
  event: (value) => `event ${value}`,
  carriedOut: () => 'the server executes the request',
  nth: (value) => `only call ${value}`,
  first: (value) => `only the first ${value === 1 ? 'call' : count(Number(value), 'call')}`,
  from: (value) => `from call ${value} on`,
  probability: (value) => `probability ${value}`,
  seed: (value) => `seed ${value}`,
}

/** Returns the settings of a fault in words: `503`, `only the first 2 calls`. */
export function faultFacts({ type: _, route: __, ...settings }: Fault): string[] {
  return Object.entries(settings)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => FACTS[name]?.(value) ?? `${name} ${JSON.stringify(value)}`)
}
