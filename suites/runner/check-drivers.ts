import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { messageOf } from '../harness/errors.ts'
import { driverFunctions } from '../harness/export/driver.ts'
import type { Manifest } from '../harness/manifest.ts'
import { didYouMean } from '../values/nearest.ts'
import { UsageError } from '../values/usage-error.ts'
import type { DriverNames } from './driver-names.ts'

/**
 * Loads the driver modules of a configuration once before the scenarios run.
 *
 * @throws UsageError if a module cannot be loaded or exports no driver function
 */
export async function checkDrivers({ endpoints }: Pick<Manifest, 'endpoints'>): Promise<void> {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const driver = endpoint.export?.driver
    if (typeof driver === 'string') await checkDriver(driver, `endpoints.${name}.export.driver`)
  }
}

async function checkDriver(file: string, key: string): Promise<void> {
  const names = await namesIn(file).catch((error: unknown) => {
    throw new UsageError(
      existsSync(file)
        ? `${key}: cannot load ${file}: ${messageOf(error)}.`
        : `${key}: ${file} does not exist. Set it to the path of a module, relative to the working directory.`,
    )
  })
  const known = Object.keys(driverFunctions)
  const unknown = names.filter((name) => !known.includes(name))
  const misspelled = unknown.filter((name) => known.some((other) => isCaseOf(name, other, names)))
  if (misspelled.length === 0 && names.some((name) => known.includes(name))) return
  const exported = names.length === 0 ? 'no function' : names.join(', ')
  throw new UsageError(
    `${key}: expected ${file} to export at least one of ${known.join(', ')}, received ${exported}.${unknown.map((name) => didYouMean(name, known)).join('')}`,
  )
}

/** Whether an export is a driver function in the wrong case. */
function isCaseOf(name: string, known: string, exported: readonly string[]): boolean {
  return name.toLowerCase() === known.toLowerCase() && !exported.includes(known)
}

async function namesIn(file: string): Promise<readonly string[]> {
  const worker = new Worker(workerFile, { workerData: file })
  try {
    const names = await new Promise<DriverNames>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject)
      worker.once('exit', () => reject(new Error('the module ended the process')))
    })
    if ('error' in names) throw new Error(names.error)
    return names.functions
  } finally {
    await worker.terminate()
  }
}

/** File of the worker; compiled files have another extension. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? 'driver-names.ts' : 'driver-names.js', import.meta.url)
