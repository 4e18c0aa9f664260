import type { DeploymentContext } from '../../harness/context.ts'
import { Stopped } from '../../harness/errors.ts'
import type { EventStream } from '../../harness/event-stream.ts'
import { streamedRunId } from '../../harness/event-stream.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { awaitEnd } from '../../harness/stream-end.ts'
import { at, show } from '../../values/json.ts'
import { isExecuting } from '../../values/run-status.ts'
import { probe, type Scenario } from '../scenario.ts'
import { finalStatuses, startSleepingRun } from './multitask-runs.ts'

type Headers = Readonly<Record<string, string>>

/** Returns the status of a joined stream and the names of its events. */
async function summaryOf({ session }: DeploymentContext, stream: EventStream): Promise<string> {
  const { reached } = await awaitEnd(session, stream)
  const names = stream.events.map(({ event, id }) => (id === undefined ? event : `${event} (${id})`))
  return `${stream.status}, ${names.join(', ') || 'no event'}${reached ? '' : ', and no end'}`
}

/** Joins the stream of a sleeping run with several concurrent readers, and reads it to the end. */
function joinDuringSleep(context: DeploymentContext, readers: number, headers: Headers = {}) {
  const { deployment } = context
  const attempt = async (ms: number) => {
    const threadId = await deployment.thread()
    const { id } = await startSleepingRun(context, threadId, 'joined', 'enqueue', ms)
    const path = `/threads/${threadId}/runs/${id}`
    const join = () => deployment.http.stream({ method: 'GET', path: `${path}/stream`, headers })
    const streams = await Promise.all(Array.from({ length: readers }, join))
    const { json } = await deployment.http.send({ method: 'GET', path })
    const summaries = await Promise.all(streams.map((stream) => summaryOf(context, stream)))
    await deployment.waitForEnd(threadId, id)
    return { path: `${path}/stream`, summaries, inTime: isExecuting(json) }
  }
  return retryWithLongerSleep(context, attempt, ({ inTime }) => inTime)
}

export const streamJoinScenarios: readonly Scenario[] = [
  probe(
    ['stream.join.running', 'stream.join.ended', 'stream.join.last-event-id'],
    "observes the join of a run's stream",
    async (context) => {
      const { http } = context.deployment
      const [single, two, replayed] = await Promise.all([
        joinDuringSleep(context, 1),
        joinDuringSleep(context, 2),
        joinDuringSleep(context, 1, { 'last-event-id': '-1' }),
      ])
      const alike = two.summaries[0] === two.summaries[1] ? 'get the same' : 'share the events'
      context.observe('stream.join.running', `${single.summaries[0]}; two readers at once ${alike}`)
      const later = async (headers: Headers = {}) =>
        summaryOf(context, await http.stream({ method: 'GET', path: single.path, headers }))
      context.observe('stream.join.ended', await later())
      const afterEnd = await later({ 'last-event-id': '1' })
      const observation = `-1 while it executes: ${replayed.summaries[0]}; 1 after its end: ${afterEnd}`
      context.observe('stream.join.last-event-id', observation)
    },
  ),

  probe('stream.disconnect', 'observes a run after its stream is closed', async (context) => {
    const { deployment, observe } = context
    const attempt = async (ms: number) => {
      const threadId = await deployment.thread()
      const request = { assistantId: await deployment.slowAssistant(ms), text: 'left single', streamMode: ['updates'] }
      const stream = await deployment.stream(threadId, request)
      await stream.find(({ event }) => event === 'updates')
      const runId = streamedRunId(stream)
      if (!(await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs/${runId}` })).ok) {
        throw new Stopped(`run ${runId} does not exist`)
      }
      const inTime = isExecuting(await deployment.getRun(threadId, runId))
      stream.close()
      return { inTime, run: await deployment.waitForEnd(threadId, runId) }
    }
    const { inTime, run } = await retryWithLongerSleep(context, attempt, (attempted) => attempted.inTime)
    observe('stream.disconnect', `${show(at(run, 'status'))}${inTime ? '' : '; the run had ended before'}`)
  }),

  probe('stream.interrupted.events', 'observes the stream of an interrupted run', async (context) => {
    const { deployment, session, observe } = context
    const attempt = async (ms: number) => {
      const threadId = await deployment.thread()
      const request = { assistantId: await deployment.slowAssistant(ms), text: 'cut short', streamMode: ['updates'] }
      const stream = await deployment.stream(threadId, request)
      await stream.find(({ event }) => event === 'updates')
      const next = await deployment.startRun(threadId, { graph: 'echo', text: 'cuts', strategy: 'interrupt' })
      const end = await awaitEnd(session, stream)
      const [, status] = await finalStatuses(context, threadId, [next, streamedRunId(stream)])
      return { ...end, status, names: stream.events.map(({ event }) => event).join(', ') }
    }
    const { names, reached, error } = await retryWithLongerSleep(
      context,
      attempt,
      ({ status }) => status === 'interrupted',
    )
    observe('stream.interrupted.events', `${names}; ${reached ? (error ?? 'a clean end') : 'no end'}`)
  }),
]
