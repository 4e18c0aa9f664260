import type { Samples } from './samples.ts'
import type { Contender } from './servers/contender.ts'
import { type Server, startServer } from './servers/start.ts'

/** Something that is measured; its name is what `--only` takes and how its rows begin. */
export interface Measure {
  readonly name: string
  /** What its numbers are, for who reads them. */
  readonly explanation: string
  run(setting: Setting): Promise<Samples[]>
}

/** What a measurement is given. */
export interface Setting {
  /** Shorter rounds and fewer of them: shows that everything works, and little more. */
  readonly quick: boolean
  /** The public servers that are installed. */
  readonly peers: readonly Contender[]
  /** Also what takes many minutes. */
  readonly long: boolean
  /** Is told what could not be measured, and why. */
  readonly missing: (reason: string) => void
}

/** What each server came to, one value a round, by its name. */
export type ByServer<T> = ReadonlyMap<string, readonly T[]>

/** Starts servers, works with them and stops them, whatever happens. Each is halted but while it is `awake`. */
export async function withServers<T>(
  contenders: readonly Contender[],
  work: (servers: readonly Server[]) => Promise<T>,
): Promise<T> {
  const servers: Server[] = []
  try {
    for (const contender of contenders) {
      const server = await startServer(contender)
      servers.push(server)
      server.halt()
    }
    return await work(servers)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/**
 * Measures each of several in turn, round by round, every second round in the opposite order.
 *
 * So what disturbs the machine for a while disturbs all of them alike, and leaves their ratios alone.
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
