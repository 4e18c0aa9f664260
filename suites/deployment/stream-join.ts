import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { isExecuting } from '../harness/deployment.ts'
import { Blocked } from '../harness/errors.ts'
import { at, show } from '../harness/json.ts'
import { endOf } from '../harness/sound-stream.ts'
import { streamedRunId } from '../harness/stream-metadata.ts'
import { meet, statuses, whileBusy } from './multitask-scene.ts'

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

/** The path of the stream of a thread's only run. */
async function streamOf({ deployment }: CheckContext, threadId: string): Promise<string> {
  const [run] = await deployment.listRuns(threadId)
  return `/threads/${threadId}/runs/${at(run, 'run_id')}/stream`
}

export const streamJoinChecks: readonly Check[] = [
  check(
    ['stream.join.running', 'stream.join.ended', 'stream.join.last-event-id'],
    'what joining the stream of a run brings',
    async (context) => {
      const { observe } = context
      const join = async (readers: number, headers: Readonly<Record<string, string>> = {}) => {
        const whileAsleep = async (threadId: string) => {
          const path = await streamOf(context, threadId)
          return Promise.all(Array.from({ length: readers }, () => joined(context, path, headers)))
        }
        const { threadId, acted } = await whileBusy(context, 'joined', 'enqueue', whileAsleep)
        return { told: acted, path: await streamOf(context, threadId) }
      }
      const [plain, both, replayed] = await Promise.all([join(1), join(2), join(1, { 'last-event-id': '-1' })])
      const alike = both.told[0] === both.told[1] ? 'each has all events' : 'they share the events'
      observe('stream.join.running', `${plain.told[0]}; of two readers ${alike}`)
      observe('stream.join.ended', await joined(context, plain.path))
      const later = await joined(context, plain.path, { 'last-event-id': '1' })
      observe('stream.join.last-event-id', `-1 while it executes: ${replayed.told[0]}; 1 afterwards: ${later}`)
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
