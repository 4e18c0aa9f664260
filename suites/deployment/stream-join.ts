import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { isExecuting } from '../harness/deployment.ts'
import { Blocked } from '../harness/errors.ts'
import { at, show } from '../harness/json.ts'
import { endOf } from '../harness/sound-stream.ts'
import { streamedRunId } from '../harness/stream-metadata.ts'
import { meet, statuses } from './multitask-scene.ts'

/** What joining the stream of a run brings: status and names of events. */
async function joined(
  { deployment, session }: CheckContext,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const stream = await deployment.http.stream({ method: 'GET', path, headers })
  const { reached } = await endOf(session, stream)
  const names = stream.events.map(({ event, id }) => (id === undefined ? event : `${event} (${id})`))
  const said = names.length > 0 ? names.join(', ') : show(stream.raw(), 200)
  return `${stream.status}, ${said}${reached ? '' : ', and no end'}`
}

export const streamJoinChecks: readonly Check[] = [
  check(
    ['stream.join.running', 'stream.join.ended', 'stream.join.last-event-id'],
    'what joining the stream of a run brings',
    async (context) => {
      const { deployment, observe } = context
      const threadId = await deployment.thread()
      const runId = await deployment.startRun(threadId, { assistantId: await deployment.slow(), text: 'joined' })
      const path = `/threads/${threadId}/runs/${runId}/stream`
      const [running, replayed] = await Promise.all([
        joined(context, path),
        joined(context, path, { 'last-event-id': '-1' }),
      ])
      await deployment.settle(threadId, runId)
      observe('stream.join.running', running)
      observe('stream.join.ended', await joined(context, path))
      const later = await joined(context, path, { 'last-event-id': '1' })
      observe('stream.join.last-event-id', `-1 while it executes: ${replayed}; 1 afterwards: ${later}`)
    },
  ),

  check('stream.disconnect', 'what becomes of a run whose stream is left', async (context) => {
    const { deployment, observe } = context
    const threadId = await deployment.thread()
    const request = { assistantId: await deployment.slow(), text: 'left alone', streamMode: ['updates'] }
    const stream = await deployment.stream(threadId, request)
    await stream.find(({ event }) => event === 'updates')
    const runId = streamedRunId(stream)
    if (!(await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs/${runId}` })).ok) {
      throw new Blocked('stream.metadata.run_id.gettable', `there is no run ${runId}`)
    }
    const left = isExecuting(await deployment.getRun(threadId, runId))
    stream.close()
    const run = await deployment.settle(threadId, runId)
    observe('stream.disconnect', `${show(at(run, 'status'))}${left ? '' : '; the run had ended before'}`)
  }),

  check('stream.interrupted.events', 'how the stream of an interrupted run ends', async (context) => {
    const { deployment, session, observe } = context
    const threadId = await deployment.thread()
    const request = { assistantId: await deployment.slow(), text: 'cut short', streamMode: ['updates'] }
    const stream = await deployment.stream(threadId, request)
    await stream.find(({ event }) => event === 'updates')
    const next = await meet(context, threadId, { graph: 'echo', text: 'cuts', strategy: 'interrupt' })
    const { reached, broke } = await endOf(session, stream)
    await statuses(context, threadId, [next.id])
    const names = stream.events.map(({ event }) => event).join(', ')
    observe('stream.interrupted.events', `${names}; ${reached ? (broke ?? 'a clean end') : 'no end'}`)
  }),
]
