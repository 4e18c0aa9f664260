import { Inconclusive } from './errors.ts'
import type { Session } from './session.ts'

/**
 * Where `any` is a graph other than a test graph, what looks wrong may be the doing of that graph and not of the
 * server: nothing can be told then.
 *
 * @example
 * if (message === undefined) excuseGraph(session, 'keeps no input message in the state')
 */
export function checkGraphKnown(session: Session, what: string): void {
  if (!session.blackBox) return
  const unlock =
    'set graph to a graph that accepts messages, stores them and runs to its end, or deploy the test graphs and set graphs.echo'
  throw new Inconclusive(`the graph "${session.graph('any')}" ${what}`, unlock)
}
