import { unknownId } from '../../catalog/deployment/run-places.ts'
import { otherModes } from '../../catalog/deployment/stream.ts'
import type { DeploymentContext } from '../../harness/context.ts'
import { stillExecutes } from '../../harness/deployment.ts'
import { streamedRunId } from '../../harness/event-stream.ts'
import { responseShape, shapeOf } from '../../harness/response-shape.ts'
import { runBody } from '../../harness/run-request.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { awaitEnd } from '../../harness/stream-end.ts'
import { parseJson, show } from '../../values/json.ts'
import { streamBlocks, valuesOf } from '../../values/stream-blocks.ts'
import { dataOf, nodeUpdates } from '../../values/stream-data.ts'
import { probe, type Scenario } from '../scenario.ts'

function lineEnding(raw: string): string {
  const endings = { CRLF: /\r\n/, LF: /(^|[^\r])\n/, CR: /\r(?!\n)/ }
  const names = Object.entries(endings).filter(([, ending]) => ending.test(raw))
  return names.map(([name]) => name).join(' and ') || 'none'
}

/** Headers about the content of a response; the others are about the connection. */
const contentHeader = /^(cache-control|content-location|content-type|location|x-accel-buffering)$/

/** Returns names in order: `metadata, values…`, where `…` marks repeats. Their number depends on the graph, not on the server. */
function sequence(names: readonly string[]): string {
  const first = names.filter((name, index) => name !== names[index - 1])
  const isRepeated = (name: string) => names.some((other, index) => other === name && names[index - 1] === name)
  return first.map((name) => (isRepeated(name) ? `${name}…` : name)).join(', ') || 'no event'
}

/** Returns the names of the events of a stream, or why there is no stream. */
async function eventsOf({ deployment, session }: DeploymentContext, streamMode?: readonly string[]): Promise<string> {
  const request = { graph: 'chat', text: 'three small words' } as const
  const body = runBody(session, streamMode === undefined ? request : { ...request, streamMode })
  const path = `/threads/${await deployment.thread()}/runs/stream`
  const stream = await deployment.http.stream({ method: 'POST', path, body })
  await awaitEnd(session, stream)
  if (stream.status >= 300) return `refused: ${stream.status}`
  return sequence(streamBlocks(stream.raw()).flatMap((block) => valuesOf(block, 'event')))
}

const streamMode = ['updates']

export const unspecifiedStreamScenarios: readonly Scenario[] = [
  probe(
    [
      'stream.request.mode-unknown',
      'stream.request.mode-string',
      'stream.request.no-input',
      'stream.request.unknown-thread',
      'stream.request.busy-thread',
    ],
    'observes other stream requests',
    async (context) => {
      const { deployment, session, observe } = context
      const body = runBody(session, { graph: 'any', streamMode })
      const send = async (change: Record<string, unknown>, threadId?: string, onHeaders = async () => {}) => {
        const path = `/threads/${threadId ?? (await deployment.thread())}/runs/stream`
        const stream = await deployment.http.stream({ method: 'POST', path, body: { ...body, ...change } })
        await onHeaders()
        await awaitEnd(session, stream)
        const text = stream.raw()
        return responseShape({ status: stream.status, headers: stream.headers, text, json: parseJson(text) })
      }
      observe('stream.request.mode-unknown', await send({ stream_mode: ['touchstone-no-such-mode'] }))
      observe('stream.request.mode-string', await send({ stream_mode: 'updates' }))
      observe('stream.request.no-input', await send({ input: undefined }))
      observe('stream.request.unknown-thread', await send({}, unknownId))
      const sendWhileBusy = async (ms: number) => {
        const busy = await deployment.thread()
        const runId = await deployment.startRun(busy, { assistantId: await deployment.slowAssistant(ms), text: 'busy' })
        let isBusy = false
        const shape = await send({ multitask_strategy: 'reject' }, busy, async () => {
          isBusy = stillExecutes(await deployment.getRun(busy, runId))
        })
        await deployment.waitForEnd(busy, runId)
        return { shape, isBusy }
      }
      const { shape } = await retryWithLongerSleep(context, sendWhileBusy, ({ isBusy }) => isBusy)
      observe('stream.request.busy-thread', shape)
    },
  ),

  probe(
    [
      'stream.framing.line-ending',
      'stream.framing.ids',
      'stream.framing.comments',
      'stream.framing.headers',
      'stream.end.event',
      'stream.metadata.further',
    ],
    'observes the format of streams',
    async ({ deployment, observe }) => {
      const threadId = await deployment.thread()
      const stream = await deployment.streamToEnd(threadId, { graph: 'any', text: 'written', streamMode })
      const blocks = streamBlocks(stream.raw())
      const ids = blocks.flatMap((block) => valuesOf(block, 'id'))
      const comments = new Set(blocks.flatMap((block) => block.comments))
      const last = blocks.at(-1)
      observe('stream.framing.line-ending', lineEnding(stream.raw()))
      observe('stream.framing.ids', ids.join(', ') || 'none')
      observe('stream.framing.comments', [...comments].join(', ') || 'none')
      const runId = streamedRunId(stream)
      const contentHeaders = Object.entries(stream.headers).filter(([name]) => contentHeader.test(name))
      const headers = contentHeaders.map(
        ([name, value]) => `${name}: ${value.replace(threadId, '{thread_id}').replace(runId, '{run_id}')}`,
      )
      observe('stream.framing.headers', headers.sort().join('; '))
      const keys = Object.keys(Object(dataOf(stream.events, 'metadata')[0])).filter((key) => key !== 'run_id')
      observe('stream.metadata.further', keys.join(', ') || 'nothing')
      observe('stream.end.event', last === undefined ? 'nothing' : valuesOf(last, 'event').join(', '))
    },
  ),

  probe('stream.updates.unchanged-node', 'observes the update of a node without changes', async (context) => {
    const { deployment, observe } = context
    const request = { assistantId: await deployment.slowAssistant(10), text: 'unchanged', streamMode }
    const { events } = await deployment.streamToEnd(await deployment.thread(), request)
    const unchanged = nodeUpdates(events).find(({ node }) => node === 'sleep')
    observe('stream.updates.unchanged-node', unchanged === undefined ? 'there is none' : show(unchanged.value))
  }),

  probe('stream.failure.events', 'observes the stream of a run that fails', async ({ deployment, observe }) => {
    const { events } = await deployment.streamToEnd(await deployment.thread(), {
      graph: 'fail',
      text: 'fails',
      streamMode,
    })
    const further = events.filter(({ event }) => event !== 'metadata' && event !== 'updates')
    const shapes = further.map(({ event, data }) => `${event} ${shapeOf(parseJson(data))}`)
    observe('stream.failure.events', shapes.join('; ') || 'only metadata and updates')
  }),

  probe(
    [...otherModes.map((mode) => `stream.mode.${mode}` as const), 'stream.mode.several', 'stream.mode.default-events'],
    'observes the events of each mode',
    async (context) => {
      const all = otherModes.map(async (mode) =>
        context.observe(`stream.mode.${mode}`, await eventsOf(context, [mode])),
      )
      await Promise.all(all)
      context.observe('stream.mode.several', await eventsOf(context, ['values', 'updates', 'messages-tuple']))
      context.observe('stream.mode.default-events', await eventsOf(context))
    },
  ),
]
