import { setTimeout } from 'node:timers/promises'
import { type Check, scenario } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { runBody } from '../harness/run-request.ts'
import { waitBudget } from '../harness/waiting.ts'
import { join, sleeper } from './run-join.ts'

/** Duration of a run in milliseconds: servers and proxies often close a connection that was idle for five seconds. */
const LONG_MS = 6000

/** Number of joins of one run: if none of them returns, that is no accident. */
const joiners = 3

/** Streams a run and reads until the stream ends, or until it is late. */
async function stream({ deployment, session }: CheckContext): Promise<void> {
  const request = { assistantId: await deployment.slow(LONG_MS), text: 'streamed for long', streamMode: ['updates'] }
  const path = `/threads/${await deployment.thread()}/runs/stream`
  const takesMs = LONG_MS
  const events = await deployment.http.stream({ method: 'POST', path, body: runBody(session, request), takesMs })
  const late = new AbortController()
  const { signal } = late
  await Promise.race([events.ended, setTimeout(LONG_MS + waitBudget(session), undefined, { signal, ref: false })])
  late.abort()
  events.close()
}

async function joinMany(context: CheckContext): Promise<void> {
  const run = await sleeper(context, await context.deployment.thread(), LONG_MS)
  await Promise.all(Array.from({ length: joiners }, () => join(context, run, LONG_MS)))
  await context.deployment.settle(run.threadId, run.runId)
}

/** What the thorough checks exercise, for reports of runs without them. */
export const thoroughSituations = 'a join and a stream of more than 5 s'

/** Checks that take longer than all others. */
export const thoroughDeploymentChecks: readonly Check[] = [
  scenario(
    ['run.join.answers', 'run.join.many', 'stream.end.clean', 'stream.updates.each-node'],
    'joins and streams runs of more than five seconds',
    (context) => Promise.all([joinMany(context), stream(context)]),
  ),
]
