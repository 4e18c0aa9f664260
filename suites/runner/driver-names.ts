import { parentPort, workerData } from 'node:worker_threads'
import { importUserModule } from '../harness/user-modules.ts'

/** What a module of a driver exports, or why it cannot be loaded. */
export type DriverNames = { readonly functions: readonly string[] } | { readonly error: string }

/** The worker in which a driver is loaded to look at it: what it opens or listens on ends with the worker. */
async function look(file: string): Promise<DriverNames> {
  try {
    const loaded = await importUserModule(file)
    return { functions: Object.keys(loaded).filter((name) => typeof loaded[name] === 'function') }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(await look(String(workerData)))
