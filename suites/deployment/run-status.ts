import { type Check, check, scenario } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { decideAll } from '../harness/decide-all.ts'
import { Blocked } from '../harness/errors.ts'
import { at, show, textAt } from '../harness/json.ts'
import { textsOf } from '../harness/messages.ts'
import { isExecuting } from '../harness/run-status.ts'
import { poll } from '../harness/waiting.ts'

/** A status that a poll showed, while the graph must still have been asleep or later. */
interface Seen {
  readonly status: string
  readonly asleep: boolean
}

/** The life of a run of the graph `slow` as its caller sees it. */
interface Life {
  readonly delayMs: number
  readonly threadId: string
  /** Creation was answered before the graph can have completed. */
  readonly inTime: boolean
  readonly polls: readonly Seen[]
}

/** Polls after the end: a status that falls back does so at a later look. */
const looksAfterEnd = 4

/** The row that a run breaks which has no string as its status. */
function statusRow(run: unknown): 'run.fields.status.present' | 'run.fields.status.type' {
  return at(run, 'status') === undefined ? 'run.fields.status.present' : 'run.fields.status.type'
}

/** Creates a run that sleeps for a while and polls it beyond its end. */
async function live(context: Pick<CheckContext, 'deployment' | 'session'>, delayMs: number): Promise<Life> {
  const { deployment, session } = context
  const [assistantId, threadId] = [await deployment.slow(delayMs), await deployment.thread()]
  const sent = performance.now()
  // Whatever is answered before this moment is answered while the graph sleeps: it began after the request was sent.
  const asleep = () => performance.now() - sent < delayMs
  const runId = await deployment.startRun(threadId, { assistantId, text: 'a whole life' })
  const inTime = asleep()
  const polls: Seen[] = []
  const look = async () => {
    const run = await deployment.getRun(threadId, runId)
    const status = textAt(run, 'status')
    if (status === undefined) throw new Blocked(statusRow(run), `a run without a status: ${show(run)}`)
    polls.push({ status, asleep: asleep() })
    return isExecuting({ status }) || asleep() ? undefined : status
  }
  await poll(session, look)
  for (let count = 0; count < looksAfterEnd; count++) await look()
  session.inFlight.delete(runId)
  return { delayMs, threadId, inTime, polls }
}

/** Polls a slow run, once more with a longer sleep where the network or the polls are as slow as the graph. */
async function liveInTime(context: Pick<CheckContext, 'deployment' | 'session'>): Promise<Life> {
  const { slowMs } = context.session.budgets
  const first = await live(context, slowMs)
  const isInTime = first.inTime && first.polls.filter((one) => one.asleep).length > 1
  return isInTime ? first : live(context, slowMs * 5)
}

const polls = scenario(
  ['run.status.pending-at-first-poll', 'run.status.not-final-while-executing', 'run.status.success'],
  'polls a slow run until it ends',
  async (context) => {
    await liveInTime(context)
  },
)

const life = check(
  ['service.background.returns-at-once', 'run.status.ends', 'run.status.other-values'],
  'creates a slow run and waits for its end',
  async (context) => {
    const seen = await liveInTime(context)
    const after = seen.polls.filter((one) => !one.asleep)
    const ended = after.map(({ status }) => status).filter((status) => !isExecuting({ status }))
    await decideAll(context, [
      {
        row: 'service.background.returns-at-once',
        holds: seen.inTime,
        what: `the creation of a run that takes ${seen.delayMs} ms`,
        expected: 'a response in less time',
        received: 'no response before the run can have ended',
      },
      {
        row: 'run.status.ends',
        holds: ended.length > 0,
        what: 'the status of a run whose graph completes',
        expected: 'a final one within budgets.waitMs',
        received: after.at(-1)?.status,
      },
    ])
    const documented = ['pending', 'success', 'interrupted']
    const others = [...new Set(seen.polls.map(({ status }) => status))].filter((one) => !documented.includes(one))
    context.observe('run.status.other-values', `${others.join(', ') || 'none'} while a run executes and ends`)
  },
)

const results = check(
  ['run.status.results-in-state', 'service.run.updates-state', 'service.thread.keeps-conversation'],
  'keeps runs and their results',
  async (context) => {
    const { deployment } = context
    const { threadId, runId, run } = await deployment.ended({ graph: 'echo', text: 'kept one' })
    const texts = textsOf(await deployment.state(threadId))
    const later = await deployment.startRun(threadId, { graph: 'echo', text: 'kept two', strategy: 'enqueue' })
    await deployment.settle(threadId, later)
    const both = textsOf(await deployment.state(threadId))
    const path = `/threads/${threadId}/runs/${runId}`
    await deployment.http.send({ method: 'GET', path })
    const success = { row: 'run.status.success', holds: at(run, 'status') === 'success' } as const
    const what = 'the messages of the thread after the run has ended'
    await decideAll(context, [
      {
        row: 'service.run.updates-state',
        holds: texts.length > 0,
        what,
        expected: 'messages that were not there before',
        received: texts,
        needs: [success],
      },
      {
        row: 'run.status.results-in-state',
        holds: ['first: kept one', 'second: kept one'].every((text) => texts.includes(text)),
        what,
        expected: '"first: kept one" and "second: kept one" among them',
        received: texts,
        needs: [success, 'service.run.updates-state'],
      },
      {
        row: 'service.thread.keeps-conversation',
        holds: texts.every((text) => both.includes(text)),
        what: 'the messages of the thread after a second run',
        expected: 'those of the first run among them',
        received: both,
        needs: ['service.run.updates-state'],
      },
    ])
  },
)

export const runStatusChecks: readonly Check[] = [polls, life, results]
