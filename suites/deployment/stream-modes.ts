import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { runBody } from '../harness/run-request.ts'
import { endOf } from '../harness/sound-stream.ts'
import { streamBlocks, valuesOf } from '../harness/stream-blocks.ts'

/** Modes of public servers that the document does not describe. */
const modes = ['values', 'messages', 'messages-tuple', 'custom', 'events', 'debug', 'tasks', 'checkpoints'] as const

/** Names in order, repeated ones told once: `metadata, values…`; how often depends on the graph, not on the server. */
function sequence(names: readonly string[]): string {
  const first = names.filter((name, index) => name !== names[index - 1])
  const isRepeated = (name: string) => names.some((one, index) => one === name && names[index - 1] === name)
  return first.map((name) => (isRepeated(name) ? `${name}…` : name)).join(', ') || 'no event'
}

/** Names of the events of a stream, or why there is none. */
async function eventsOf({ deployment, session }: CheckContext, streamMode?: readonly string[]): Promise<string> {
  const request = { graph: 'chat', text: 'three small words' } as const
  const body = runBody(session, streamMode === undefined ? request : { ...request, streamMode })
  const path = `/threads/${await deployment.thread()}/runs/stream`
  const stream = await deployment.http.stream({ method: 'POST', path, body })
  await endOf(session, stream)
  if (stream.status >= 300) return `refused: ${stream.status}`
  return sequence(streamBlocks(stream.raw()).flatMap((block) => valuesOf(block, 'event')))
}

export const streamModeChecks: readonly Check[] = [
  check(
    [...modes.map((mode) => `stream.mode.${mode}` as const), 'stream.mode.several', 'stream.mode.default-events'],
    'observes the events of each mode',
    async (context) => {
      const all = modes.map(async (mode) => context.observe(`stream.mode.${mode}`, await eventsOf(context, [mode])))
      await Promise.all(all)
      context.observe('stream.mode.several', await eventsOf(context, ['values', 'updates', 'messages-tuple']))
      context.observe('stream.mode.default-events', await eventsOf(context))
    },
  ),
]
