import { createHash } from 'node:crypto'
import type { RunContext } from '../../harness/context.ts'
import { ignoreInconclusive, ignoreLoss } from '../../harness/errors.ts'
import { runBody } from '../../harness/run-request.ts'
import { awaitEnd } from '../../harness/stream-end.ts'
import { textAt } from '../../values/json.ts'
import { dataOf } from '../../values/stream-data.ts'
import { scenario } from '../scenario.ts'
import { finalStatuses, runOnceIdle, tryRun, uniqueText, waitAndReadState } from './multitask-runs.ts'

/** Number of threads on which runs are created concurrently: fewer with custom authentication, which changes no strategy. */
const threads = { open: 10, others: 5 } as const

const strategies = ['enqueue', 'interrupt', 'reject'] as const
const creations = ['echo', 'echo', 'slow'] as const
const actions = [...creations, ...creations, ...creations, 'read', 'join', 'wait', 'stream'] as const

/** Returns a sleep of the graph `slow` in which a server responds several times, in milliseconds. */
async function sleepForRequests({ deployment, session }: RunContext, threadId: string): Promise<number> {
  // A single response may have been delayed.
  let fastestMs = 400
  for (const _ of [1, 2, 3]) {
    const sentAt = performance.now()
    await deployment.listRuns(threadId)
    fastestMs = Math.min(fastestMs, performance.now() - sentAt)
  }
  return Math.ceil(Math.max(session.budgets.slowMs / 2, 5 * fastestMs) / 50) * 50
}

/** Creates, reads, joins and streams runs on a new thread, in an order that a seed determines, and waits for their ends. */
async function actRandomly(context: RunContext, seed: string): Promise<void> {
  const { deployment, session } = context
  const { http } = deployment
  const bytes = createHash('sha512').update(seed).digest().values()
  const choose = <T>(items: readonly T[]): T => items[(bytes.next().value ?? 0) % items.length] as T
  const threadId = await deployment.thread()
  const ms = await sleepForRequests(context, threadId)
  const path = `/threads/${threadId}/runs`
  const ids: string[] = []
  let known = 0
  const waitForAll = async () => {
    await finalStatuses(context, threadId, ids.slice(known))
    known = ids.length
  }
  const create = async (graph: 'echo' | 'slow', waitsForSleep = false) => {
    const text = uniqueText()
    const subject = graph === 'slow' ? { assistantId: await deployment.slowAssistant(ms) } : { graph }
    const { runId } = await tryRun(context, threadId, { ...subject, text, strategy: choose(strategies) })
    if (runId === undefined) return
    ids.push(runId)
    if (waitsForSleep) await deployment.untilSleeping({ threadId, runId, text, ms }).catch(ignoreInconclusive)
  }
  const createStream = async () => {
    const body = runBody(session, { text: uniqueText(), streamMode: ['updates'] })
    // The server may refuse it: how soon a thread is idle after a run is unspecified.
    const stream = await http.stream({ method: 'POST', path: `${path}/stream`, body })
    await awaitEnd(session, stream)
    const runId = textAt(dataOf(stream.events, 'metadata')[0], 'run_id')
    if (runId !== undefined) ids.push(runId)
  }
  const act = async (action: (typeof actions)[number]) => {
    if (action === 'echo' || action === 'slow') return create(action)
    if (action === 'stream' || action === 'wait') await waitForAll()
    if (action === 'stream') await createStream()
    if (ids.length === 0) return
    const run = `${path}/${choose(ids)}`
    if (action === 'join') await http.send({ method: 'GET', path: `${run}/join` }).catch(ignoreLoss)
    if (action === 'join' || action === 'read') await http.send({ method: 'GET', path: run })
  }

  for (let rounds = choose([1, 2, 3, 4]); rounds > 0; rounds--) {
    await create('slow', true)
    for (let count = choose([1, 2, 3, 4]); count > 0; count--) await act(choose(actions))
    if (choose([true, true, false])) await act('wait')
  }
  await waitAndReadState(context, threadId, ids)
  await runOnceIdle(context, threadId)
}

/** Sends random requests to several threads. Start it early: it takes long. */
export const randomHistoriesScenario = scenario(
  ['multitask.governed-by-strategy'],
  'creates, polls, joins and streams in random order',
  async (context) => {
    const length = context.session.profile === 'open' ? threads.open : threads.others
    const histories = Array.from({ length }, (_, index) => actRandomly(context, `${context.session.seed} ${index}`))
    const failed = (await Promise.allSettled(histories)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  },
)
