import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { type Check, check } from '../harness/check.ts'
import { plainRuns } from '../harness/plain-runs.ts'
import { type ReplayStep, replayScript } from '../harness/replay-script.ts'
import { runCheck } from '../harness/run-check.ts'
import type { Session } from '../harness/session.ts'
import type { RequirementId } from '../requirements/generated/ids.ts'
import { enqueueChecks } from './multitask-enqueue.ts'
import { interruptChecks } from './multitask-interrupt.ts'
import { interruptBoundsChecks } from './multitask-interrupt-bounds.ts'
import { judgeStory, type Problem } from './multitask-model-judge.ts'
import { playStory } from './multitask-model-play.ts'
import { queueChecks } from './multitask-queues.ts'
import { rejectChecks } from './multitask-reject.ts'
import type { Stage } from './multitask-scene.ts'

/** Stories played side by side. */
const stories = 12
/** How long a counterexample is made smaller, in milliseconds. */
const shrinkMs = 2000

interface Counterexample {
  readonly steps: readonly ReplayStep[]
  readonly problem: Problem
}

const run = fc.nat({ max: 5 })
const create: fc.Arbitrary<ReplayStep> = fc.record({
  do: fc.constant('create' as const),
  graph: fc.constantFrom('echo' as const, 'slow' as const),
  strategy: fc.constantFrom(...(['enqueue', 'enqueue', 'interrupt', 'interrupt', 'reject'] as const)),
  watch: fc.boolean(),
})
const step: fc.Arbitrary<ReplayStep> = fc.oneof(
  { weight: 9, arbitrary: create },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('poll' as const), run }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const), run }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('settle' as const, 'stream' as const) }) },
)
const someSteps = fc.array(step, { minLength: 1, maxLength: 9, size: 'max' })

/** Plays one story of a seed; where it goes wrong and that is wanted, smaller ones as long as they go wrong too. */
async function search(
  stage: Stage,
  seed: string,
  delayMs: number,
  shrinks: boolean,
): Promise<Counterexample | undefined> {
  let found: Counterexample | undefined
  let fault: unknown
  let until = Number.POSITIVE_INFINITY
  const property = fc.asyncProperty(someSteps, async (steps) => {
    if (fault !== undefined || performance.now() > until) return true
    try {
      const problem = judgeStory(await playStory(stage, steps, delayMs))
      if (!problem) return true
      if (!found) until = performance.now() + shrinkMs
      found = { steps, problem }
      return false
    } catch (error) {
      fault = error
      return true
    }
  })
  await fc.check(property, {
    seed: createHash('sha256').update(seed).digest().readInt32BE(),
    numRuns: 1,
    unbiased: true,
    endOnFailure: !shrinks,
  })
  if (!found && fault !== undefined) throw fault
  return found
}

/** Checks of single orders: where one of them fails, it tells more than a random order. */
const plainChecks: readonly Check[] = [
  ...interruptChecks,
  ...interruptBoundsChecks,
  ...enqueueChecks,
  ...queueChecks,
  ...rejectChecks,
]

/** The row of a plain check that does not hold, if there is one. */
async function plainProblem(session: Session): Promise<RequirementId | undefined> {
  const decisions = await Promise.all(plainChecks.map((plain) => runCheck(plain, session)))
  return decisions.flat().find(({ verdict }) => verdict === 'fail')?.row
}

export const multitaskModelChecks: readonly Check[] = [
  check('multitask.governed-by-strategy', 'random orders of create, poll, join and stream', async (context) => {
    const { session } = context
    const plain = await plainRuns(context)
    if (!plain.holds) {
      context.block('multitask.governed-by-strategy', plain.row, 'a run that meets no other does not succeed')
      return
    }
    const delayMs = Math.ceil(session.budgets.slowMs / 2)
    const play = (index: number, shrinks: boolean) => search(context, `${session.seed} ${index}`, delayMs, shrinks)
    const played = await Promise.all(Array.from({ length: stories }, (_, index) => play(index, false)))
    const index = played.findIndex((story) => story !== undefined)
    if (index === -1) return
    const plainer = await plainProblem(session)
    if (plainer !== undefined) {
      context.block('multitask.governed-by-strategy', plainer, 'a plain order goes wrong already')
      return
    }
    const found = (await play(index, true)) ?? played[index]
    if (!found) return
    const { what, expected, received } = found.problem
    const target = {
      url: session.endpoint.url,
      headers: { ...session.endpoint.headers, ...session.endpoint.users?.alice.headers },
      secrets: session.secrets,
      graphs: { echo: session.graph('echo'), slow: session.graph('slow') },
      delayMs,
    }
    const script = replayScript(target, found.steps, `${what}: ${expected}`)
    context.verify(false, `${what}; to replay it:\n${script}`, expected, received)
  }),
]
