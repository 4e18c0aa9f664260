import { Blocked } from '../harness/errors.ts'
import { at, textAt } from '../harness/json.ts'
import { sleepsIn } from '../harness/messages.ts'
import { plainStream } from '../harness/plain-streams.ts'
import { refusedBy } from '../harness/refused-run.ts'
import { type ReplayStep, replayText } from '../harness/replay-script.ts'
import type { RunRequest } from '../harness/run-request.ts'
import { isExecuting } from '../harness/run-status.ts'
import { dataOf } from '../harness/updates.ts'
import { poll } from '../harness/waiting.ts'
import type { Sighting, Story } from './multitask-model-judge.ts'
import { contents, type Stage, statuses, tryRun } from './multitask-scene.ts'

/** Where a strategy is refused on an idle thread too, no story tells anything of it. */
async function blameRefusal({ deployment, session }: Stage, request: RunRequest, why: string): Promise<void> {
  const own = 'multitask.governed-by-strategy'
  const row = await refusedBy(deployment, session, request, own)
  if (row !== own) throw new Blocked(row, `a run with ${request.strategy} was refused: ${why}`)
}

/** How much longer than usual `slow` may sleep, and for how many round trips it should. */
const longer = [1, 2, 4, 8] as const
const roundTrips = 10

/** How long `slow` must sleep for a client that waits so long for an answer. */
function delayFor({ session }: Stage, roundTripMs: number): number {
  const shortest = Math.ceil(session.budgets.slowMs / 2)
  const delays = longer.map((factor) => shortest * factor)
  return delays.find((ms) => ms >= roundTripMs * roundTrips) ?? Math.max(...delays)
}

/** Does the steps on a new thread, waits for the end of all runs and tells what was seen. */
export async function playStory(stage: Stage, steps: readonly ReplayStep[]): Promise<Story> {
  const { deployment } = stage
  const started = performance.now()
  const threadId = await deployment.thread()
  const delayMs = delayFor(stage, performance.now() - started)
  const slow = await deployment.slow(delayMs)
  const sightings: Sighting[] = []
  const ids: (string | undefined)[] = []

  const create = async ({ graph, strategy, watch }: Extract<ReplayStep, { do: 'create' }>) => {
    const run = ids.length
    const subject = graph === 'slow' ? { assistantId: slow } : { graph }
    const sentAt = performance.now()
    const { runId, answer } = await tryRun(stage, threadId, { ...subject, text: replayText(run), strategy })
    if (runId === undefined) await blameRefusal(stage, { ...subject, strategy }, answer.text)
    ids.push(runId)
    const answeredAt = performance.now()
    sightings.push({ saw: 'created', run, graph, strategy, accepted: runId !== undefined, answeredAt })
    if (graph === 'slow' && watch && runId !== undefined) await untilAsleep(run, runId, sentAt)
  }
  const stream = async () => {
    const plain = await plainStream(stage)
    if (!plain.holds) throw new Blocked(plain.row, 'nor does a streamed run that meets no other go well')
    await settle()
    const run = ids.length
    const { events } = await deployment.streamed(threadId, { text: replayText(run), streamMode: ['updates'] })
    const runId = textAt(dataOf(events, 'metadata')[0], 'run_id')
    ids.push(runId)
    const accepted = runId !== undefined
    sightings.push({ saw: 'created', run, graph: 'echo', strategy: 'none', accepted, answeredAt: performance.now() })
  }
  const look = async (run: number, joined: boolean) => {
    const id = ids[run]
    if (id === undefined) return
    // What a join answers is left open where the run was interrupted.
    const path = `/threads/${threadId}/runs/${id}/join`
    if (joined) await deployment.http.send({ method: 'GET', path })
    const { ok, json } = await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs/${id}` })
    const status = ok ? at(json, 'status') : 'gone'
    sightings.push({ saw: 'status', run, status })
  }
  const settle = async () => {
    for (const [run, id] of ids.entries()) {
      if (id === undefined) continue
      const [status] = await statuses(stage, threadId, [id])
      sightings.push({ saw: 'status', run, status })
    }
  }
  const untilAsleep = async (run: number, id: string, sentAt: number) => {
    let notBefore = sentAt
    await poll(stage.session, async () => {
      const asked = performance.now()
      if (sleepsIn(await deployment.state(threadId), replayText(run))) {
        sightings.push({ saw: 'asleep', run, notBefore })
        return true
      }
      notBefore = asked
      const { json } = await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs/${id}` })
      return isExecuting(json) ? undefined : true
    })
  }

  for (const step of steps) {
    if (step.do === 'create') await create(step)
    if (step.do === 'poll' && ids.length > 0) await look(step.run % ids.length, false)
    if (step.do === 'join' && ids.length > 0) await look(step.run % ids.length, true)
    if (step.do === 'settle') await settle()
    if (step.do === 'stream') await stream()
  }
  await settle()
  return { sightings, messages: await contents(stage, threadId), delayMs, text: replayText }
}
