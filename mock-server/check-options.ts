import { dialects } from './deployment/dialects/index.ts'
import { isGraph } from './graphs/define.ts'
import type { MockServerOptions } from './options.ts'

const NAMES: Readonly<Record<keyof MockServerOptions, true>> = {
  ...{ graphs: true, auth: true, dialect: true, clock: true, random: true, startDelayMs: true, limits: true },
  ...{ export: true, faults: true, faultsByHeader: true, journal: true, scenario: true, policies: true },
}

/** Throws a TypeError in words for options that cannot be used, as a caller without types may give them. */
export function checkOptions(options: MockServerOptions): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(NAMES, name)) wrong(`There is no option ${name}`, `one of ${Object.keys(NAMES).join(', ')}`)
  }
  const { dialect = 'spec', graphs = {}, startDelayMs = 0 } = options
  if (!Object.hasOwn(dialects, dialect)) {
    wrong(`The option dialect is ${JSON.stringify(dialect)}`, `one of ${Object.keys(dialects).join(', ')}`)
  }
  for (const [name, graph] of Object.entries(graphs)) {
    if (!isGraph(graph)) wrong(`The graph ${JSON.stringify(name)} is ${typeof graph}`, 'what defineGraph returns')
  }
  if (!(Number.isFinite(startDelayMs) && startDelayMs >= 0)) {
    wrong(`The option startDelayMs is ${JSON.stringify(startDelayMs)}`, 'a number of milliseconds from 0')
  }
}

function wrong(what: string, expected: string): never {
  throw new TypeError(`${what}; expected ${expected}`)
}
