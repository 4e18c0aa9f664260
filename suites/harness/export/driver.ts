import { text } from 'node:stream/consumers'
import { request } from 'undici'
import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import type { ScenarioTrace } from '../../trace/trace.ts'
import { at, show } from '../../values/json.ts'
import { decodedBody } from '../content-coding.ts'
import { Inconclusive, messageOf } from '../errors.ts'
import type { DriverAddress } from '../manifest.ts'
import type { Session } from '../session.ts'
import { importUserModule } from '../user-modules.ts'

/**
 * Functions that the export API does not offer. All are optional; scenarios that need a missing one are inconclusive.
 *
 * @example
 * // driver.ts, the path of `export.driver` in the configuration
 * export async function advanceClock(ms: number): Promise<void> {
 *   await fetch(`http://127.0.0.1:4000/clock?advance=${ms}`, { method: 'POST' })
 * }
 */
interface Driver {
  /** Adds trace records to the projects in their `session_id`. Resolves when exports can contain them. */
  seedRuns?(records: readonly TraceRecord[]): Promise<void>
  /** Moves the clock of the service ahead by `ms` milliseconds and executes what becomes due. */
  advanceClock?(ms: number): Promise<void>
  /** Returns the clock of the service, in milliseconds since the Unix epoch. */
  now?(): Promise<number>
}

/** Driver functions, each with the request of an HTTP driver. */
export const driverFunctions: Readonly<Record<keyof Driver, string>> = {
  seedRuns: 'POST traces',
  advanceClock: 'POST clock',
  now: 'GET clock',
}

/** Driver of a session. Functions that the target's driver lacks throw Inconclusive. */
export interface SessionDriver extends Required<Driver> {
  /** Whether the target's driver has a function. */
  offers(name: keyof Driver): Promise<boolean>
}

/** Longest wait for a driver's response, in milliseconds. Moving the clock executes everything that becomes due. */
const timeoutMs = 120_000

/** Returns the driver of a session. Records its calls in the trace. */
export function driverOf(session: Session, scenario?: ScenarioTrace): SessionDriver {
  const { endpointName, endpoint } = session
  const setting = `endpoints.${endpointName}.export.driver`
  const observe: ScenarioTrace['observe'] = (action, describe) => scenario?.observe(action, describe) ?? action()
  const getDriver = () => session.memoize('driver', () => openDriver(endpoint.export?.driver))
  const missing = (name: keyof Driver): never => {
    const what = typeof endpoint.export?.driver === 'object' ? `that handles ${driverFunctions[name]}` : `with ${name}`
    throw new Inconclusive(`the driver of the target has no ${name}`, `set ${setting} to a driver ${what}`)
  }
  const call = async <T>(name: keyof Driver, action: (driver: Driver) => Promise<T> | undefined): Promise<T> => {
    const driver = await getDriver()
    if (driver[name] === undefined) return missing(name)
    try {
      return (await action(driver)) as T
    } catch (error) {
      throw new Inconclusive(
        `the driver failed in ${name}: ${messageOf(error)}`,
        `fix ${name} of the driver in ${setting}`,
      )
    }
  }
  return {
    offers: async (name) => (await getDriver())[name] !== undefined,
    seedRuns: (records) =>
      observe(
        () => call('seedRuns', (driver) => driver.seedRuns?.(records)),
        () => ({ type: 'seed', records: [...records] }),
      ),
    advanceClock: (ms) =>
      observe(
        () => call('advanceClock', (driver) => driver.advanceClock?.(ms)),
        () => ({ type: 'clock', advancedMs: ms }),
      ),
    now: async () => {
      const driver = await getDriver()
      if (driver.now === undefined && driver.advanceClock === undefined) return Date.now()
      const read = () =>
        driver.now === undefined ? Promise.resolve(undefined) : call('now', async () => timeFrom(await driver.now?.()))
      const now = await observe(read, (value) => ({ type: 'clock', ...(value !== undefined && { now: value }) }))
      return now ?? Date.now()
    },
  }
}

function timeFrom(value: unknown): number {
  const time = typeof value === 'string' ? Number(value) : value
  if (typeof time === 'number' && Number.isFinite(time)) return time
  throw new Error(`expected milliseconds since the Unix epoch, received ${show(value)}`)
}

async function openDriver(address: DriverAddress | undefined): Promise<Driver> {
  if (address === undefined) return {}
  if (typeof address !== 'string') return httpDriver(address)
  return importUserModule(address)
}

/** Statuses of an HTTP driver for functions it does not have. */
const missingFunction: readonly number[] = [404, 405, 501]

/**
 * Creates a driver that calls HTTP endpoints: `POST traces` with `{ records }`, `POST clock` with `{ advance_ms }`, and
 * `GET clock`, which returns `{ now }`. Sends one request without effect to each endpoint to find out which exist.
 */
async function httpDriver({ url, headers = {} }: Exclude<DriverAddress, string>): Promise<Driver> {
  const ask = async (name: keyof Driver, body?: unknown) => {
    const [method = '', path] = driverFunctions[name].split(' ')
    const response = await request(`${url.replace(/\/+$/, '')}/${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: timeoutMs,
      // The driver may close an idle connection at the moment when it is used again.
      reset: true,
    })
    return { status: response.statusCode, content: await text(decodedBody(response)) }
  }
  const send = async (name: keyof Driver, body?: unknown): Promise<unknown> => {
    const { status, content } = await ask(name, body)
    if (status >= 300) throw new Error(`expected a 2xx response to ${driverFunctions[name]}, received ${status}`)
    return content === '' ? undefined : JSON.parse(content)
  }
  const hasFunction = async (name: keyof Driver, body?: unknown): Promise<boolean> => {
    try {
      return !missingFunction.includes((await ask(name, body)).status)
    } catch {
      // A later call reports why the driver does not respond.
      return true
    }
  }
  return {
    ...((await hasFunction('seedRuns', { records: [] })) && {
      seedRuns: async (records) => void (await send('seedRuns', { records })),
    }),
    ...((await hasFunction('advanceClock', { advance_ms: 0 })) && {
      advanceClock: async (ms) => void (await send('advanceClock', { advance_ms: ms })),
    }),
    ...((await hasFunction('now')) && { now: async () => timeFrom(at(await send('now'), 'now')) }),
  }
}
