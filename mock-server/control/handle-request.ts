import type { Connection, Handler } from '../http/handler.ts'
import type { FaultInjector } from './faults/faults.ts'
import type { Recorder } from './journal/journal.ts'

/** The stages that a request passes through. */
export interface Pipeline {
  /** Undefined while the journal is off. */
  readonly journal: Recorder | undefined
  readonly faults: FaultInjector
  readonly server: Handler
}

/** Handles a request: records it in the journal, injects faults, and lets the server respond. */
export async function handleRequest(
  received: Request,
  receivedConnection: Connection | undefined,
  { journal, faults, server }: Pipeline,
): Promise<Response> {
  const exchange = journal?.begin(received, receivedConnection)
  const { request, connection } = exchange ?? { request: received, connection: receivedConnection }
  try {
    const response = await faults.inject(request, server)(request, connection)
    return exchange === undefined ? response : await exchange.respond(response)
  } catch (error) {
    exchange?.fail(error)
    throw error
  }
}
