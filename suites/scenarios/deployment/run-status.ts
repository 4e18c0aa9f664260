import type { DeploymentContext } from '../../harness/context.ts'
import { stillExecutes } from '../../harness/deployment.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { poll, pollEnd, runsAreLost } from '../../harness/waiting.ts'
import { at, textAt } from '../../values/json.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'

/** Number of polls after the end: a later one may show that the status changes again. */
const pollsAfterEnd = 4

/**
 * Creates a run that sleeps, on a new thread or on one without an active run, and polls it and the list of runs until after its
 * end. Returns its statuses, and the number of polls during the sleep.
 */
async function pollUntilEnd({ deployment, session }: DeploymentContext, delayMs: number, idleThread?: string) {
  const [assistantId, threadId] = [await deployment.slowAssistant(delayMs), idleThread ?? (await deployment.thread())]
  const sent = performance.now()
  const request = {
    assistantId,
    text: 'a whole life',
    ...(idleThread !== undefined && { strategy: 'enqueue' as const }),
  }
  const runId = await deployment.startRun(threadId, request)
  const statuses: (string | undefined)[] = []
  let pollsDuringSleep = 0
  const pollOnce = async () => {
    const [run] = await Promise.all([
      deployment.getRun(threadId, runId),
      deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs` }),
    ])
    const isAsleep = performance.now() - sent < delayMs
    if (isAsleep) pollsDuringSleep += 1
    statuses.push(textAt(run, 'status'))
    return isAsleep || stillExecutes(run) ? undefined : at(run, 'status')
  }
  const end = await pollEnd(session, 'run', pollOnce)
  // A run that does not end must be read long after all others have ended.
  const { budgets } = session
  if (end === undefined && !runsAreLost(session)) await poll(session, pollOnce, { budgetMs: () => budgets.waitMs })
  for (let count = 0; count < pollsAfterEnd; count++) await pollOnce()
  session.readLater(pollOnce)
  session.inFlight.delete(runId)
  return { statuses, pollsDuringSleep }
}

export const runStatusScenarios: readonly Scenario[] = [
  scenario(
    [
      'run.status.pending-at-first-poll',
      'run.status.not-final-while-executing',
      'run.status.success',
      'run.status.ends',
      'service.background.returns-at-once',
      'run.list.every-run',
    ],
    'polls slow runs and the lists of runs until they end',
    async (context) => {
      await retryWithLongerSleep(context, async (ms) => {
        // Some servers keep the config of a thread's first run for all later ones: each attempt uses a thread of its own.
        const { threadId } = await context.deployment.runToEnd({ graph: 'echo', text: 'before a slow run' })
        const polled = await Promise.all([pollUntilEnd(context, ms), pollUntilEnd(context, ms, threadId)])
        return polled.every(({ pollsDuringSleep }) => pollsDuringSleep > 1)
      })
    },
  ),

  probe('run.status.other-values', 'observes the statuses of a run', async (context) => {
    const documented = ['pending', 'success', 'interrupted']
    const { statuses } = await retryWithLongerSleep(
      context,
      (ms) => pollUntilEnd(context, ms),
      ({ pollsDuringSleep }) => pollsDuringSleep > 2,
    )
    const others = [...new Set(statuses)].filter((status) => !documented.includes(status ?? ''))
    context.observe('run.status.other-values', `${others.join(', ') || 'none'} while a run executes and ends`)
  }),

  scenario(
    ['run.status.results-in-state', 'service.run.updates-state', 'service.thread.keeps-conversation'],
    'keeps runs and their results',
    async ({ deployment }) => {
      const { threadId, runId } = await deployment.runToEnd({ graph: 'echo', text: 'kept one' })
      await deployment.state(threadId)
      await deployment.runToEnd({ graph: 'echo', text: 'kept two', strategy: 'enqueue' }, threadId)
      await deployment.state(threadId)
      await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs/${runId}` })
    },
  ),
]
