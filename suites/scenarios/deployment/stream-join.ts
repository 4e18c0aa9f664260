import type { DeploymentContext } from '../../harness/context.ts'
import { Stopped } from '../../harness/errors.ts'
import type { EventStream } from '../../harness/event-stream.ts'
import { at, show } from '../../harness/json.ts'
import { isExecuting } from '../../harness/run-status.ts'
import { streamedRunId } from '../../harness/stream-data.ts'
import { awaitEnd } from '../../harness/stream-end.ts'
import { probe, type Scenario } from '../scenario.ts'
import { createRun, sleeper, statuses, whileAsleep } from './multitask-runs.ts'

type Headers = Readonly<Record<string, string>>

/** What a joined stream brings: status and names of events. */
async function told({ session }: DeploymentContext, stream: EventStream): Promise<string> {
  const { reached } = await awaitEnd(session, stream)
  const names = stream.events.map(({ event, id }) => (id === undefined ? event : `${event} (${id})`))
  return `${stream.status}, ${names.join(', ') || 'no event'}${reached ? '' : ', and no end'}`
}

/** Joins the stream of a run that sleeps, with so many readers at once, and reads to the end. */
function joinAsleep(context: DeploymentContext, readers: number, headers: Headers = {}) {
  const { deployment } = context
  const play = async (ms: number) => {
    const threadId = await deployment.thread()
    const { id } = await sleeper(context, threadId, 'joined', 'enqueue', ms)
    const path = `/threads/${threadId}/runs/${id}`
    const join = () => deployment.http.stream({ method: 'GET', path: `${path}/stream`, headers })
    const streams = await Promise.all(Array.from({ length: readers }, join))
    const { json } = await deployment.http.send({ method: 'GET', path })
    const brought = await Promise.all(streams.map((stream) => told(context, stream)))
    await deployment.waitForEnd(threadId, id)
    return { path: `${path}/stream`, brought, inTime: isExecuting(json) }
  }
  return whileAsleep(context, play, ({ inTime }) => inTime)
}

export const streamJoinScenarios: readonly Scenario[] = [
  probe(
    ['stream.join.running', 'stream.join.ended', 'stream.join.last-event-id'],
    "observes the join of a run's stream",
    async (context) => {
      const { http } = context.deployment
      const [alone, two, replayed] = await Promise.all([
        joinAsleep(context, 1),
        joinAsleep(context, 2),
        joinAsleep(context, 1, { 'last-event-id': '-1' }),
      ])
      const alike = two.brought[0] === two.brought[1] ? 'get the same' : 'share the events'
      context.observe('stream.join.running', `${alone.brought[0]}; two readers at once ${alike}`)
      const later = async (headers: Headers = {}) =>
        told(context, await http.stream({ method: 'GET', path: alone.path, headers }))
      context.observe('stream.join.ended', await later())
      const afterwards = await later({ 'last-event-id': '1' })
      const said = `-1 while it executes: ${replayed.brought[0]}; 1 afterwards: ${afterwards}`
      context.observe('stream.join.last-event-id', said)
    },
  ),

  probe('stream.disconnect', 'observes a run after its stream is closed', async (context) => {
    const { deployment, observe } = context
    const play = async (ms: number) => {
      const threadId = await deployment.thread()
      const request = { assistantId: await deployment.slowAssistant(ms), text: 'left alone', streamMode: ['updates'] }
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
    const { inTime, run } = await whileAsleep(context, play, (played) => played.inTime)
    observe('stream.disconnect', `${show(at(run, 'status'))}${inTime ? '' : '; the run had ended before'}`)
  }),

  probe('stream.interrupted.events', 'observes the stream of an interrupted run', async (context) => {
    const { deployment, session, observe } = context
    const play = async (ms: number) => {
      const threadId = await deployment.thread()
      const request = { assistantId: await deployment.slowAssistant(ms), text: 'cut short', streamMode: ['updates'] }
      const stream = await deployment.stream(threadId, request)
      await stream.find(({ event }) => event === 'updates')
      const next = await createRun(context, threadId, { graph: 'echo', text: 'cuts', strategy: 'interrupt' })
      const end = await awaitEnd(session, stream)
      const [, status] = await statuses(context, threadId, [next.id, streamedRunId(stream)])
      return { ...end, status, names: stream.events.map(({ event }) => event).join(', ') }
    }
    const { names, reached, error } = await whileAsleep(context, play, ({ status }) => status === 'interrupted')
    observe('stream.interrupted.events', `${names}; ${reached ? (error ?? 'a clean end') : 'no end'}`)
  }),
]
