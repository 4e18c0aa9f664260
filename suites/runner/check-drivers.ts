import { access } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { driverFunctions } from '../harness/export/driver.ts'
import type { Manifest } from '../harness/manifest.ts'
import type { DriverNames } from './driver-names.ts'
import { didYouMean } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** Looks at the modules of drivers before anything is judged: what is wrong with one is told once, as a UsageError. */
export async function checkDrivers({ endpoints }: Pick<Manifest, 'endpoints'>): Promise<void> {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const driver = endpoint.export?.driver
    if (typeof driver === 'string') await checkDriver(driver, `endpoints.${name}.export.driver`)
  }
}

async function checkDriver(file: string, key: string): Promise<void> {
  const found = await namesIn(file).catch(async (error: unknown) => {
    const why = (await exists(file)) ? `cannot be loaded: ${error instanceof Error ? error.message : error}` : undefined
    throw new UsageError(
      `${key}: ${file} ${why ?? 'does not exist; give the path of a module, from the folder in which the command runs'}.`,
    )
  })
  const known = Object.keys(driverFunctions)
  const slips = found.filter((one) => !known.includes(one) && known.some((name) => isCaseOf(one, name, found)))
  if (slips.length === 0 && found.some((one) => known.includes(one))) return
  const exported = found.length === 0 ? 'no function' : found.join(', ')
  throw new UsageError(
    `${key}: ${file} exports ${exported}; expected at least one of ${known.join(', ')}.${found.map((one) => didYouMean(one, known)).join('')}`,
  )
}

/** Whether something is exported that is a function of drivers but for the case of its letters. */
function isCaseOf(one: string, name: string, exported: readonly string[]): boolean {
  return one.toLowerCase() === name.toLowerCase() && !exported.includes(name)
}

async function namesIn(file: string): Promise<readonly string[]> {
  const worker = new Worker(workerFile, { workerData: file })
  try {
    const names = await new Promise<DriverNames>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject)
      worker.once('exit', () => reject(new Error('it ended the thread that loaded it')))
    })
    if ('error' in names) throw new Error(names.error)
    return names.functions
  } finally {
    await worker.terminate()
  }
}

/** The compiled file has another ending than its source. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? 'driver-names.ts' : 'driver-names.js', import.meta.url)

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
