import { request } from 'undici'
import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { Inconclusive } from '../errors.ts'
import { at } from '../json.ts'
import type { DriverAddress } from '../manifest.ts'
import type { Session } from '../session.ts'
import { importUserModule } from '../user-modules.ts'

/** What the API cannot do and a target's owner supplies; a function that is missing is not offered. */
interface Driver {
  /** Adds trace records to the projects that they name. */
  seedRuns?(records: readonly TraceRecord[]): Promise<void>
  /** Moves the clock of the service on, in milliseconds, and lets everything happen that becomes due. */
  advanceClock?(ms: number): Promise<void>
  /** The clock of the service, milliseconds since the Unix epoch. */
  now?(): Promise<number>
}

/** The functions that a driver may offer, and the request that stands for each in a driver behind HTTP. */
export const driverFunctions: Readonly<Record<keyof Driver, string>> = {
  seedRuns: 'POST traces',
  advanceClock: 'POST clock',
  now: 'GET clock',
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
    const what = typeof endpoint.export?.driver === 'object' ? `that handles ${driverFunctions[name]}` : `with ${name}`
    throw new Inconclusive(`the driver of the target has no ${name}`, `set ${setting} to a driver ${what}`)
  }
  const call = async <T>(name: keyof Driver, action: (driver: Driver) => Promise<T> | undefined): Promise<T> => {
    const driver = await opened()
    if (driver[name] === undefined) return missing(name)
    try {
      return (await action(driver)) as T
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new Inconclusive(`the driver failed in ${name}: ${why}`, `fix ${name} of the driver in ${setting}`)
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
  return importUserModule(address)
}

/** Answers that say that there is nothing at this address: what it stands for is not offered. */
const notOffered: readonly number[] = [404, 405, 501]

/**
 * The driver behind HTTP endpoints: `POST traces` `{ records }`, `POST clock` `{ advance_ms }`, `GET clock` `{ now }`.
 * Each is asked once with nothing to do, to learn what is offered.
 */
async function httpDriver({ url, headers = {} }: Exclude<DriverAddress, string>): Promise<Driver> {
  const ask = async (name: keyof Driver, body?: unknown) => {
    const [method = '', path] = driverFunctions[name].split(' ')
    const answer = await request(`${url.replace(/\/+$/, '')}/${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: longestMs,
      // A connection that is kept may be closed by the driver just when it is used again.
      reset: true,
    })
    return { status: answer.statusCode, text: await answer.body.text() }
  }
  const send = async (name: keyof Driver, body?: unknown): Promise<unknown> => {
    const { status, text } = await ask(name, body)
    if (status >= 300) throw new Error(`${driverFunctions[name]} was answered ${status}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const offered = async (name: keyof Driver, body?: unknown): Promise<boolean> => {
    try {
      return !notOffered.includes((await ask(name, body)).status)
    } catch {
      // The call that needs it tells why nobody answers.
      return true
    }
  }
  return {
    ...((await offered('seedRuns', { records: [] })) && {
      seedRuns: async (records) => void (await send('seedRuns', { records })),
    }),
    ...((await offered('advanceClock', { advance_ms: 0 })) && {
      advanceClock: async (ms) => void (await send('advanceClock', { advance_ms: ms })),
    }),
    ...((await offered('now')) && { now: async () => Number(at(await send('now'), 'now')) }),
  }
}
