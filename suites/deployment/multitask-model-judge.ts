import { show } from '../harness/json.ts'
import { isExecuting } from '../harness/run-status.ts'
import { echoed, slept } from './multitask-scene.ts'

/** What a client saw on one thread, in order; times in milliseconds of one clock. */
export type Sighting =
  | {
      readonly saw: 'created'
      readonly run: number
      readonly graph: 'echo' | 'slow'
      /** `none`: a streamed run, which names none. */
      readonly strategy: 'reject' | 'enqueue' | 'interrupt' | 'none'
      readonly accepted: boolean
      readonly answeredAt: number
    }
  /** The run sleeps, and it cannot have begun to before. */
  | { readonly saw: 'asleep'; readonly run: number; readonly notBefore: number }
  | { readonly saw: 'status'; readonly run: number; readonly status: unknown }

/** All that was seen of one thread. */
export interface Story {
  readonly sightings: readonly Sighting[]
  /** Texts of the thread's messages once all runs had ended. */
  readonly messages: readonly string[]
  /** How long `slow` sleeps. */
  readonly delayMs: number
  readonly text: (run: number) => string
}

/** What a story should have been. */
export interface Problem {
  readonly what: string
  readonly expected: string
  readonly received: string
}

/** How a run must end; `open` where the document leaves it open, or where the client was too slow to know. */
type Fate = 'success' | 'interrupted' | 'open' | 'refused'

interface ModelRun {
  readonly graph: 'echo' | 'slow'
  fate: Fate
  /** The newest status; `ended` from the one on with which the run had ended. */
  status: unknown
  ended: unknown
  asleepNotBefore?: number
}

/** Compares a story with the model of multitask: the first thing that the document rules out, or undefined. */
export function judgeStory(story: Story): Problem | undefined {
  const runs: ModelRun[] = []
  for (const sighting of story.sightings) {
    const problem = advance(runs, sighting, story.delayMs)
    if (problem) return problem
  }
  return judgeEnds(runs) ?? judgeMessages(runs, story)
}

function advance(runs: ModelRun[], sighting: Sighting, delayMs: number): Problem | undefined {
  if (sighting.saw === 'created') return create(runs, sighting, delayMs)
  const run = runs[sighting.run]
  if (!run) return undefined
  if (sighting.saw === 'asleep') {
    run.asleepNotBefore = sighting.notBefore
    return undefined
  }
  const { status } = sighting
  const executes = isExecuting({ status })
  const name = `run ${sighting.run}`
  if (run.ended !== undefined && status !== run.ended) {
    return { what: `the status of ${name}`, expected: `${show(run.ended)}, as it was before`, received: show(status) }
  }
  run.status = status
  if (!executes) run.ended = status
  return undefined
}

function create(
  runs: ModelRun[],
  { run, graph, strategy, accepted, answeredAt }: Extract<Sighting, { saw: 'created' }>,
  delayMs: number,
): Problem | undefined {
  const active = runs.filter((one) => one.ended === undefined && one.fate !== 'refused')
  const mayRefuse = strategy === 'reject' && active.length > 0
  if (!accepted && !mayRefuse) {
    const where = active.length > 0 ? 'a busy thread' : 'an idle thread'
    return { what: `run ${run} (${strategy}) on ${where}`, expected: 'a run', received: 'a refusal' }
  }
  if (strategy === 'interrupt') {
    for (const one of active) if (one.fate === 'success') one.fate = interrupted(one, answeredAt, delayMs)
  }
  runs.push({
    graph,
    fate: accepted ? (mayRefuse ? 'open' : 'success') : 'refused',
    status: undefined,
    ended: undefined,
  })
  return undefined
}

/** Half of the sleep is kept as a margin: a state may show a step later than it happened. */
function interrupted({ asleepNotBefore }: ModelRun, answeredAt: number, delayMs: number): Fate {
  return asleepNotBefore !== undefined && answeredAt - asleepNotBefore < delayMs / 2 ? 'interrupted' : 'open'
}

function judgeEnds(runs: readonly ModelRun[]): Problem | undefined {
  const wrong = runs.findIndex(({ fate, ended }) => (fate === 'success' || fate === 'interrupted') && ended !== fate)
  const run = runs[wrong]
  return run && { what: `the status of run ${wrong}`, expected: show(run.fate), received: show(run.status) }
}

function judgeMessages(runs: readonly ModelRun[], { messages, text }: Story): Problem | undefined {
  const expected: string[] = []
  const optional = new Set<string>()
  for (const [index, { graph, fate }] of runs.entries()) {
    const all = graph === 'echo' ? echoed(text(index)) : slept(text(index))
    if (fate === 'success') expected.push(...all)
    // Of an interrupted run only the output of its finished step is sure to stay.
    if (fate === 'interrupted') {
      expected.push(...all)
      for (const content of [all[0], all[2]]) if (content !== undefined) optional.add(content)
    }
  }
  const seen = messages.filter((content) => expected.includes(content))
  const wanted = expected.filter((content) => !optional.has(content) || seen.includes(content))
  if (show(seen) === show(wanted)) return undefined
  return { what: 'the messages of the thread', expected: `${show(wanted)} in this order`, received: show(messages) }
}
