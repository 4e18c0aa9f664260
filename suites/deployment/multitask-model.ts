import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { type Check, check } from '../harness/check.ts'
import { plainRuns } from '../harness/plain-runs.ts'
import { type ReplayStep, replayScript } from '../harness/replay-script.ts'
import { runCheck } from '../harness/run-check.ts'
import type { Session } from '../harness/session.ts'
import { enqueueChecks } from './multitask-enqueue.ts'
import { interruptChecks } from './multitask-interrupt.ts'
import { interruptBoundsChecks } from './multitask-interrupt-bounds.ts'
import { judgeStory, type Problem } from './multitask-model-judge.ts'
import { playStory } from './multitask-model-play.ts'
import { rejectChecks } from './multitask-reject.ts'
import type { Stage } from './multitask-scene.ts'

/** Stories played side by side. */
const stories = 16
/** How long a counterexample is made smaller, in milliseconds. */
const shrinkMs = 2000

interface Counterexample {
  readonly steps: readonly ReplayStep[]
  readonly problem: Problem
  /** How long `slow` slept. */
  readonly delayMs: number
}

const run = fc.nat({ max: 5 })
const strategy = fc.constantFrom('enqueue' as const, 'interrupt' as const, 'reject' as const)
const graph = fc.constantFrom('echo' as const, 'echo' as const, 'slow' as const)
const create: fc.Arbitrary<ReplayStep> = fc.record({
  do: fc.constant('create' as const),
  graph,
  strategy,
  watch: fc.boolean(),
})
const asleep: fc.Arbitrary<ReplayStep> = fc.record({
  do: fc.constant('create' as const),
  graph: fc.constant('slow' as const),
  strategy,
  watch: fc.constant(true),
})
const settle: fc.Arbitrary<ReplayStep> = fc.record({ do: fc.constant('settle' as const) })
const step: fc.Arbitrary<ReplayStep> = fc.oneof(
  { weight: 8, arbitrary: create },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('poll' as const), run }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const), run }) },
  { weight: 1, arbitrary: settle },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stream' as const) }) },
)
/** What happens while a run sleeps, perhaps until all is over. */
const scene: fc.Arbitrary<readonly ReplayStep[]> = fc
  .tuple(asleep, fc.array(step, { minLength: 1, maxLength: 3, size: 'max' }), fc.option(settle))
  .map(([first, then, end]) => [first, ...then, ...(end ? [end] : [])])
const someSteps = fc.array(scene, { minLength: 1, maxLength: 4, size: 'max' }).map((scenes) => scenes.flat())

/** Plays one story of a seed; where it goes wrong and that is wanted, smaller ones as long as they go wrong too. */
async function search(stage: Stage, seed: string, shrinks: boolean): Promise<Counterexample | undefined> {
  let found: Counterexample | undefined
  let fault: unknown
  let until = Number.POSITIVE_INFINITY
  const property = fc.asyncProperty(someSteps, async (steps) => {
    if (fault !== undefined || performance.now() > until) return true
    try {
      const story = await playStory(stage, steps)
      const problem = judgeStory(story)
      if (!problem) return true
      if (!found) until = performance.now() + shrinkMs
      found = { steps, problem, delayMs: story.delayMs }
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
const plainChecks: readonly Check[] = [...interruptChecks, ...interruptBoundsChecks, ...enqueueChecks, ...rejectChecks]

/** The row of a plain check that does not hold, if there is one. */
async function plainProblem(session: Session): Promise<RequirementId | undefined> {
  const decisions = await Promise.all(plainChecks.map((plain) => runCheck(plain, session)))
  return decisions.flat().find(({ verdict }) => verdict === 'fail')?.row
}

export const multitaskModelChecks: readonly Check[] = [
  check('multitask.governed-by-strategy', 'creates, polls, joins and streams in random order', async (context) => {
    const { session } = context
    const plain = await plainRuns(context)
    if (!plain.holds) {
      context.block('multitask.governed-by-strategy', plain.row, 'a run that meets no other does not succeed')
      return
    }
    const play = (index: number, shrinks: boolean) => search(context, `${session.seed} ${index}`, shrinks)
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
      delayMs: found.delayMs,
    }
    const script = replayScript(target, found.steps, `${what}: ${expected}`)
    context.verify(false, `${what}; to replay it:\n${script}`, expected, received)
  }),
]
