import { dialectNames } from './deployment/dialect.ts'
import { isHostName } from './deployment/webhooks/hosts.ts'
import { isGraph } from './graphs/define.ts'
import type { MockServerOptions, WebhookOptions } from './options.ts'

const NAMES: Readonly<Record<keyof MockServerOptions, true>> = {
  ...{ graphs: true, auth: true, dialect: true, clock: true, random: true, startDelayMs: true, limits: true },
  ...{
    export: true,
    faults: true,
    faultsByHeader: true,
    journal: true,
    webhooks: true,
    scenario: true,
    replay: true,
    policies: true,
  },
}

/** Throws a TypeError for options that a caller in JavaScript can pass although the types forbid them. */
export function checkOptions(options: MockServerOptions): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(NAMES, name)) {
      throw new TypeError(`Unknown option ${name}: expected one of ${Object.keys(NAMES).join(', ')}`)
    }
  }
  const { dialect = 'spec', graphs = {}, startDelayMs = 0, webhooks = {} } = options
  if (!dialectNames.includes(dialect)) {
    reject('dialect', `one of ${dialectNames.join(', ')}`, JSON.stringify(dialect))
  }
  for (const [name, graph] of Object.entries(graphs)) {
    if (!isGraph(graph)) reject(`Graph ${JSON.stringify(name)}`, 'a graph created with defineGraph', typeof graph)
  }
  if (!(Number.isFinite(startDelayMs) && startDelayMs >= 0)) {
    reject('startDelayMs', 'a number of milliseconds from 0', JSON.stringify(startDelayMs))
  }
  checkWebhooks(webhooks)
  checkReplay(options)
}

function checkReplay({ replay, scenario }: MockServerOptions): void {
  if (replay === undefined) return
  if (scenario?.recording === undefined) reject('replay', 'a scenario with a recording', 'none')
  const { speed = 1 } = replay
  if (!(Number.isFinite(speed) && speed >= 0)) reject('replay.speed', 'a number from 0', JSON.stringify(speed))
}

function checkWebhooks(webhooks: WebhookOptions): void {
  for (const name of Object.keys(webhooks)) {
    if (name !== 'hosts' && name !== 'fetch') reject('webhooks', 'hosts and fetch', name)
  }
  const { hosts = 'any', fetch } = webhooks
  if (hosts !== 'any' && hosts !== 'loopback' && !(Array.isArray(hosts) && hosts.every(isHostName))) {
    reject('webhooks.hosts', '"loopback", "any" or an array of host names without port', JSON.stringify(hosts))
  }
  if (fetch !== undefined && typeof fetch !== 'function') reject('webhooks.fetch', 'a function', typeof fetch)
}

function reject(what: string, expected: string, received: string): never {
  throw new TypeError(`${what}: expected ${expected}, received ${received}`)
}
