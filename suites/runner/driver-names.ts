import { parentPort, workerData } from 'node:worker_threads'
import { importUserModule } from '../harness/user-modules.ts'

/** What a module of a driver exports, or why it cannot be loaded. */
export type DriverNames = { readonly functions: readonly string[] } | { readonly error: string }

/** Loads a driver module in this worker, so that everything that it opens ends with the worker. */
async function namesOf(file: string): Promise<DriverNames> {
  try {
    const loaded = await importUserModule(file)
    return { functions: Object.keys(loaded).filter((name) => typeof loaded[name] === 'function') }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(await namesOf(String(workerData)))
