import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Keeps every core busy with a spinning thread; the returned function ends them. */
export function keepCoresBusy(): () => Promise<void> {
  const spin = () => new Worker('for (;;) Math.sqrt(2)', { eval: true })
  const workers = Array.from({ length: availableParallelism() }, spin)
  return async () => {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}
