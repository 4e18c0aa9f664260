import { pathToFileURL } from 'node:url'
import { request } from 'undici'
import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { CouldNotRun } from '../errors.ts'
import { at } from '../json.ts'
import type { DriverAddress } from '../manifest.ts'
import type { Session } from '../session.ts'

/** What the API cannot do and a target's owner supplies; a function that is missing is not offered. */
interface Driver {
  /** Adds trace records to the projects that they name. */
  seedRuns?(records: readonly TraceRecord[]): Promise<void>
  /** Moves the clock of the service on, in milliseconds, and lets everything happen that becomes due. */
  advanceClock?(ms: number): Promise<void>
  /** The clock of the service, milliseconds since the Unix epoch. */
  now?(): Promise<number>
}

/** A driver whose functions say what would unlock them where the target has none. */
export interface CheckDriver extends Required<Driver> {
  /** Whether the target has a function. */
  offers(name: keyof Driver): Promise<boolean>
}

/** Longest wait for a driver's answer, in milliseconds: a jump of the clock executes what is due on the way. */
const longestMs = 120_000

/** The driver of a session. */
export function driverOf(session: Session): CheckDriver {
  const { endpointName, endpoint } = session
  const setting = `endpoints.${endpointName}.export.driver`
  const opened = () => session.once('driver', () => openDriver(endpoint.export?.driver))
  const missing = (name: keyof Driver): never => {
    throw new CouldNotRun(`the target offers no ${name}`, `${setting}: a driver with ${name}`)
  }
  const call = async <T>(name: keyof Driver, action: (driver: Driver) => Promise<T> | undefined): Promise<T> => {
    const driver = await opened()
    if (driver[name] === undefined) return missing(name)
    try {
      return (await action(driver)) as T
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new CouldNotRun(`the driver failed at ${name}: ${why}`, `${setting}: a driver whose ${name} works`)
    }
  }
  return {
    offers: async (name) => (await opened())[name] !== undefined,
    seedRuns: (records) => call('seedRuns', (driver) => driver.seedRuns?.(records)),
    advanceClock: (ms) => call('advanceClock', (driver) => driver.advanceClock?.(ms)),
    now: async () => {
      const driver = await opened()
      return driver.now === undefined ? Date.now() : call('now', () => driver.now?.())
    },
  }
}

async function openDriver(address: DriverAddress | undefined): Promise<Driver> {
  if (address === undefined) return {}
  if (typeof address !== 'string') return httpDriver(address)
  return import(pathToFileURL(address).href) as Promise<Driver>
}

/** The driver behind HTTP endpoints: `POST traces` `{ records }`, `POST clock` `{ advance_ms }`, `GET clock` `{ now }`. */
function httpDriver({ url, headers = {} }: Exclude<DriverAddress, string>): Driver {
  const send = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> => {
    const answer = await request(`${url.replace(/\/+$/, '')}/${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: longestMs,
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered ${answer.statusCode}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    seedRuns: async (records) => void (await send('POST', 'traces', { records })),
    advanceClock: async (ms) => void (await send('POST', 'clock', { advance_ms: ms })),
    now: async () => Number(at(await send('GET', 'clock'), 'now')),
  }
}
