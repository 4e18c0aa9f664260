import { setTimeout } from 'node:timers/promises'
import type { DeploymentContext } from '../../harness/context.ts'
import { runBody } from '../../harness/run-request.ts'
import { timeForAllRuns } from '../../harness/waiting.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { createEchoRuns, uniqueText, waitAndReadState } from './multitask-runs.ts'
import { join, startJoinedRun } from './run-join.ts'

/** Duration of a run in milliseconds: servers and proxies often close a connection that was idle for five seconds. */
const LONG_MS = 6000

/** Number of joins of one run: that none of them returns cannot be a coincidence. */
const joiners = 3

/** Streams a run and reads until the stream ends or the time for it has passed. */
async function stream({ deployment, session }: DeploymentContext): Promise<void> {
  const request = {
    assistantId: await deployment.slowAssistant(LONG_MS),
    text: 'streamed for long',
    streamMode: ['updates'],
  }
  const path = `/threads/${await deployment.thread()}/runs/stream`
  const takesMs = LONG_MS
  const events = await deployment.http.stream({ method: 'POST', path, body: runBody(session, request), takesMs })
  const late = new AbortController()
  const { signal } = late
  await Promise.race([events.ended, setTimeout(LONG_MS + timeForAllRuns(session), undefined, { signal, ref: false })])
  late.abort()
  events.close()
}

async function joinMany(context: DeploymentContext): Promise<void> {
  const run = await startJoinedRun(context, await context.deployment.thread(), LONG_MS)
  await Promise.all(Array.from({ length: joiners }, () => join(context, run, LONG_MS)))
  await context.deployment.waitForEnd(run.threadId, run.runId)
}

/** Executes a run and interrupts another one, and reads them again after the other scenario has ended. */
async function keep(context: DeploymentContext, ended: Promise<unknown>): Promise<void> {
  const { deployment } = context
  const { threadId, runId } = await deployment.runToEnd({ text: 'kept for long' })
  await deployment.state(threadId)
  const other = await deployment.thread()
  const strategy = 'interrupt'
  const slow = { assistantId: await deployment.slowAssistant(), text: uniqueText(), strategy } as const
  const interrupted = await deployment.startRun(other, slow)
  const next = await createEchoRuns(context, other, strategy, 1)
  await waitAndReadState(context, other, [...next, interrupted])
  await ended
  await deployment.state(threadId)
  await deployment.getRun(threadId, runId)
  await deployment.getRun(other, interrupted)
}

/** What the thorough scenarios exercise, for reports of runs without them. */
export const thoroughSituations = 'a join and a stream of more than 5 s'

/** Scenarios that take longer than all others. */
export const thoroughDeploymentScenarios: readonly Scenario[] = [
  scenario(
    [
      'run.join.answers',
      'run.join.many',
      'stream.end.clean',
      'stream.updates.each-node',
      'run.status.keeps-final',
      'multitask.interrupt.finished-status-stays',
      'service.thread.keeps-conversation',
    ],
    'joins and streams runs of more than five seconds',
    (context) => {
      const streamed = stream(context)
      return Promise.all([joinMany(context), streamed, keep(context, streamed)])
    },
  ),
]
