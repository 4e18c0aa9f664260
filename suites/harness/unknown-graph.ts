import { CouldNotRun } from './errors.ts'
import type { Session } from './session.ts'

/**
 * Where `any` stands for a graph that is none of the kit, what looks wrong may be the doing of that graph and not of the
 * server: nothing can be told then.
 *
 * @example
 * if (message === undefined) excuseGraph(session, 'keeps no input message in the state')
 */
export function excuseGraph(session: Session, what: string): void {
  if (!session.blackBox) return
  const unlock = 'a graph that takes messages, keeps them and runs to its end, or the graph kit: graphs.echo'
  throw new CouldNotRun(`the graph "${session.graph('any')}" ${what}`, unlock)
}
