import type { Samples } from './samples.ts'
import type { BenchServer } from './servers/bench-server.ts'
import { type RunningServer, startServer } from './servers/start.ts'

/** A measure of the benchmark. `--only` selects it by its name, and the names of its rows start with it. */
export interface Measure {
  readonly name: string
  /** Explains the numbers to the reader of the results. */
  readonly explanation: string
  run(setting: Setting): Promise<Samples[]>
}

/** Settings of a measurement. */
export interface Setting {
  /** Fewer and shorter rounds, to check that everything works. */
  readonly quick: boolean
  /** The installed third-party servers. */
  readonly thirdParty: readonly BenchServer[]
  /** Includes measurements that take many minutes. */
  readonly long: boolean
  /** Records what could not be measured, and why. */
  readonly missing: (reason: string) => void
}

/** The values of each server, one for each round, by the name of the server. */
export type ByServer<T> = ReadonlyMap<string, readonly T[]>

/** Starts servers, calls `work` with them and stops them. Each server is halted except while it is `awake`. */
export async function withServers<T>(
  benchServers: readonly BenchServer[],
  work: (servers: readonly RunningServer[]) => Promise<T>,
): Promise<T> {
  const servers: RunningServer[] = []
  try {
    for (const benchServer of benchServers) {
      const server = await startServer(benchServer)
      servers.push(server)
      server.halt()
    }
    return await work(servers)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/**
 * Measures several items in turn, round by round. Every second round runs in reverse order.
 *
 * A temporary disturbance of the machine therefore affects all items alike and does not change their ratios.
 */
export async function interleaved<Item extends { readonly name: string }, T>(
  items: readonly Item[],
  rounds: number,
  measure: (item: Item) => Promise<T>,
): Promise<ByServer<T>> {
  const values = new Map<string, T[]>(items.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const item of round % 2 === 0 ? items : items.toReversed()) values.get(item.name)?.push(await measure(item))
  }
  return values
}
