import { unknownId } from '../catalog/deployment/run-places.ts'
import { answerShape } from '../harness/answer-shape.ts'
import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { Blocked } from '../harness/errors.ts'
import { parsed, show } from '../harness/json.ts'
import { textOf } from '../harness/messages.ts'
import { runBody } from '../harness/run-request.ts'
import { endOf } from '../harness/sound-stream.ts'
import { nodeUpdates, updatedMessages } from '../harness/updates.ts'

const streamOn = (threadId: string): string => `/threads/${threadId}/runs/stream`

/** Whether a stream with this body is accepted; it is read to its end. */
async function tried({ deployment, session }: CheckContext, body: unknown) {
  const stream = await deployment.http.stream({ method: 'POST', path: streamOn(await deployment.thread()), body })
  await endOf(session, stream)
  return { accepted: stream.status >= 200 && stream.status < 300, stream }
}

/** Runs that a stream with a fault has left behind; the same stream without the fault is accepted and ends. */
async function runsAfter(context: CheckContext, fault: Record<string, unknown>): Promise<readonly unknown[]> {
  const { deployment, session } = context
  const request = { graph: 'any', text: 'required', streamMode: ['updates'] } as const
  await endOf(session, await deployment.stream(await deployment.thread(), request))
  const threadId = await deployment.thread()
  const body = { ...runBody(session, request), ...fault }
  await endOf(
    session,
    await deployment.http.stream({ method: 'POST', path: streamOn(threadId), body, intent: 'fault' }),
  )
  return deployment.listRuns(threadId)
}

export const streamRequestChecks: readonly Check[] = [
  check('stream.create.answers-stream', 'streams a run', async (context) => {
    const request = { graph: 'any', text: 'to stream', streamMode: ['updates'] } as const
    await endOf(context.session, await context.deployment.stream(await context.deployment.thread(), request))
  }),

  check('stream.request.assistant_id-required', 'streams nothing without assistant_id', async (context) => {
    const runs = await runsAfter(context, { assistant_id: undefined })
    context.verify(runs.length === 0, 'runs of the thread after a stream without assistant_id', 'none', runs)
  }),

  check('stream.request.assistant_id-known', 'streams nothing for an unknown assistant', async (context) => {
    for (const unknown of [unknownId, 'touchstone-no-such-graph']) {
      const runs = await runsAfter(context, { assistant_id: unknown })
      context.verify(runs.length === 0, `runs of the thread after a stream of ${unknown}`, 'none', runs)
    }
  }),

  check('stream.request.input', 'passes the input of a stream request to the graph', async ({ deployment, verify }) => {
    const request = { graph: 'echo', text: 'streamed input', streamMode: ['updates'] } as const
    const { events } = await deployment.streamed(await deployment.thread(), request)
    const updates = nodeUpdates(events)
    const [answer] = updatedMessages(updates, 'first').map(textOf)
    if (answer === undefined) throw new Blocked('stream.updates.messages-of-node', show(updates))
    verify(answer.includes('streamed input'), 'what the node first answers', 'first: streamed input', answer)
  }),

  check(
    ['stream.request.stream_mode-optional', 'stream.request.stream_mode-array'],
    'streams without stream_mode and with several modes',
    async (context) => {
      const { session, decide, verify } = context
      const control = await tried(context, runBody(session, { graph: 'any', streamMode: ['updates'] }))
      if (!control.accepted) throw new Blocked('assistant.name.stream-accepts', 'nor is one with the mode updates')
      const ways = {
        'stream.request.stream_mode-optional': runBody(session, { graph: 'any' }),
        'stream.request.stream_mode-array': runBody(session, { graph: 'any', streamMode: ['values', 'updates'] }),
      } as const
      for (const row of ['stream.request.stream_mode-optional', 'stream.request.stream_mode-array'] as const) {
        await decide(row, async () => {
          const { accepted, stream } = await tried(context, ways[row])
          const modes = show(ways[row]['stream_mode'])
          verify(
            accepted,
            `a stream with the modes ${modes}`,
            'a 2xx response',
            `${stream.status} ${show(stream.raw(), 300)}`,
          )
        })
      }
    },
  ),

  check(
    [
      'stream.request.mode-unknown',
      'stream.request.mode-string',
      'stream.request.no-input',
      'stream.request.unknown-thread',
      'stream.request.busy-thread',
    ],
    'observes other stream requests',
    async ({ deployment, session, observe }) => {
      const body = runBody(session, { graph: 'any', streamMode: ['updates'] })
      const ask = async (change: Record<string, unknown>, threadId?: string) => {
        const path = streamOn(threadId ?? (await deployment.thread()))
        const stream = await deployment.http.stream({ method: 'POST', path, body: { ...body, ...change } })
        await endOf(session, stream)
        const text = stream.raw()
        return answerShape({ status: stream.status, headers: stream.headers, text, json: parsed(text) })
      }
      observe('stream.request.mode-unknown', await ask({ stream_mode: ['touchstone-no-such-mode'] }))
      observe('stream.request.mode-string', await ask({ stream_mode: 'updates' }))
      observe('stream.request.no-input', await ask({ input: undefined }))
      observe('stream.request.unknown-thread', await ask({}, unknownId))
      const busy = await deployment.thread()
      const runId = await deployment.startRun(busy, { assistantId: await deployment.slow(), text: 'busy' })
      observe('stream.request.busy-thread', await ask({ multitask_strategy: 'reject' }, busy))
      await deployment.settle(busy, runId)
    },
  ),
]
