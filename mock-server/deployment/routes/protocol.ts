import { z } from 'zod'
import { readBody, uuidParam } from '../../http/request.ts'
import { ok } from '../../http/route.ts'
import { authorize } from '../access.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import { execute } from '../protocol/commands.ts'
import { protocolFrames } from '../protocol/event-stream.ts'
import { eventFilter, protocolCommand } from '../protocol/requests.ts'
import { eventStream } from '../schemas/responses.ts'
import { respondWithStream } from '../stream/event-stream.ts'

/** The second stream protocol: commands and events of a thread. The specification does not mention it. */
export const protocolRoutes: readonly DeploymentRoute[] = [
  route('POST /threads/{thread_id}/commands', 'Send a command to a thread: start or resume a run, or read the state', {
    schemas: () => ({
      body: protocolCommand,
      responses: ok(
        'The result, or an error of the protocol',
        z.looseObject({ type: z.enum(['success', 'error']), id: z.int() }),
      ),
      errors: ['invalid-assistant', 'assistant-not-found', 'graph-not-found'],
    }),
    handle: async (deployment, call) => {
      const thread_id = uuidParam(call.param('thread_id'), 'thread', deployment.dialect)
      const command = await readBody(deployment, call, protocolCommand)
      return Response.json(await execute(deployment, call, thread_id, command))
    },
  }),
  route('POST /threads/{thread_id}/stream/events', 'Follow the events of a thread in some channels', {
    schemas: () => ({ body: eventFilter, responses: eventStream, errors: [] }),
    handle: followEvents,
  }),
]

/** Also follows a thread that does not exist yet: clients choose its id, and open the stream before the first run. */
async function followEvents(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const thread_id = uuidParam(call.param('thread_id'), 'thread', deployment.dialect)
  const filter = await readBody(deployment, call, eventFilter)
  const permit = await authorize(deployment, call, 'threads', 'read', { thread_id, metadata: {} })
  return respondWithStream(deployment, call, (reader) => protocolFrames(deployment, thread_id, permit, filter, reader))
}
