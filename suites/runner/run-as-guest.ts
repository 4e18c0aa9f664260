import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../harness/errors.ts'
import type { Leftover } from '../harness/export/leftovers.ts'
import { createResourceTracker, type ResourceTracker } from '../harness/export/resource-tracker.ts'
import { profileOf } from '../harness/manifest.ts'
import { createSharedState, openSession, type Session, type TargetManifest } from '../harness/session.ts'
import { scenarios, thoroughScenarios } from '../scenarios/index.ts'
import type { Trace } from '../trace/trace.ts'
import { leftIn, removeLeftovers } from './remove-leftovers.ts'
import { runScenarios, runsOn } from './run-scenarios.ts'
import type { StartedByEndpoint } from './start-schedules.ts'

/** What to run. */
export interface Job {
  readonly manifest: TargetManifest
  /** Requirements to decide; a scenario runs if it decides one of them. */
  readonly requirements: readonly string[]
  /** Titles of further scenarios to run. */
  readonly checks?: ReadonlySet<string>
  readonly seed: string
  readonly repeat: number
  /** Whether the thorough scenarios run, too. */
  readonly thorough: boolean
}

/** Options of a run. */
export interface RunOptions {
  /** Called with the title of each scenario when it ends. */
  readonly onEnd?: (title: string) => void
  /** Called with the leftover resources each time they change; with an empty list once all are removed. */
  readonly onLeftovers?: (leftovers: readonly Leftover[]) => void
  /** Scheduled exports of an earlier run, to be tested now. */
  readonly started?: SchedulesToVerify
  /** Stops the run early; decisions made until then are returned. */
  readonly signal?: AbortSignal
}

/** Scheduled exports of an earlier run. */
interface SchedulesToVerify {
  readonly byEndpoint: StartedByEndpoint
  /** Leftover resources of that run. */
  readonly leftovers: readonly Leftover[]
  /** Called once they are tested, with those that could not be removed. Not called if it is too early to test them. */
  readonly onEnded: (alive: readonly Leftover[]) => void
}

/** Number of scenarios that run concurrently unless the configuration sets it. */
const defaultConcurrency = 12

/** Longest wait for the creation of exports that are in progress when the run is stopped, in milliseconds. */
const longestStopMs = 5000

/** Runs the scenarios of a job and records them, then removes its leftover resources, however the run ends. */
export async function runAsGuest(job: Job, trace: Trace, options: RunOptions): Promise<void> {
  const { manifest } = job
  const { onLeftovers = () => undefined, started, signal } = options
  let removing = false
  const onChange = (leftovers: readonly Leftover[]) => void (removing || onLeftovers(leftovers))
  const tracker = createResourceTracker({ limits: manifest.limits, onChange })
  const problems: string[] = []
  const stopListening = onUncaughtError((message) => problems.push(message))
  const sessions = openSessions(job, tracker, trace)
  try {
    await runSelected(job, sessions, problems, options)
    trace.finish({ problems, ...(signal?.aborted && { interrupted: String(signal.reason) }) })
  } finally {
    if (signal?.aborted) await leave(sessions, tracker)
    else await Promise.all(sessions.map((session) => session.close()))
    removing = true
    const leftovers = tracker.leftovers()
    if (leftovers.length > 0) onLeftovers(leftIn(await removeLeftovers(manifest, leftovers)))
    const isOver = (one: Leftover) => one.kind === 'schedule' && one.id !== undefined && tracker.hasEnded(one, one.id)
    // The last step of testing a schedule cancels it.
    if (started?.leftovers.some(isOver)) started.onEnded(leftIn(await removeLeftovers(manifest, started.leftovers)))
    // Errors of scenarios that were left behind must not end the process before the report is written.
    if (!signal?.aborted) stopListening()
  }
}

/** Opens a session for each endpoint and round: on a thread that all rounds use, lists would outgrow a page. */
function openSessions({ manifest, seed, repeat }: Job, tracker: ResourceTracker, trace: Trace): readonly Session[] {
  return Object.keys(manifest.endpoints).flatMap((name) => {
    const shared = createSharedState(tracker, trace)
    return Array.from({ length: repeat }, (_, index) => openSession(manifest, name, seed, shared, index + 1))
  })
}

async function runSelected(
  job: Job,
  sessions: readonly Session[],
  problems: string[],
  { onEnd, signal }: RunOptions,
): Promise<void> {
  await runScenarios(selectedScenarios(job), sessions, job.manifest.concurrency ?? defaultConcurrency, {
    onEnd: ({ title }) => onEnd?.(title),
    onError: (error, { title }) => problems.push(`${title}: ${messageOf(error)}`),
    ...(signal && { signal }),
  })
}

/** Returns the number of runs of scenarios that a job has. */
export function plannedRuns(job: Job): number {
  const profiles = Object.values(job.manifest.endpoints).map(profileOf)
  const runs = selectedScenarios(job).flatMap((scenario) => profiles.filter((profile) => runsOn(scenario, { profile })))
  return runs.length * job.repeat
}

function selectedScenarios({ requirements, checks, thorough }: Job) {
  const wanted = new Set(requirements)
  return [...(thorough ? thoroughScenarios : []), ...scenarios].filter(
    ({ exercises, title }) => checks?.has(title) || exercises.some((requirement) => wanted.has(requirement)),
  )
}

/** Leaves running scenarios behind: none of them creates a further export or sends a further request. */
async function leave(sessions: readonly Session[], tracker: ResourceTracker): Promise<void> {
  await Promise.race([tracker.stop(), delay(longestStopMs, undefined, { ref: false })])
  await Promise.all(sessions.map(({ dispatcher }) => dispatcher.destroy()))
}

/** Calls the listener for every error that nothing handles. Returns a function that stops this. */
function onUncaughtError(listener: (message: string) => void): () => void {
  const handle = (error: unknown) => listener(`an error outside of the checks: ${messageOf(error)}`)
  process.on('uncaughtException', handle).on('unhandledRejection', handle)
  return () => void process.off('uncaughtException', handle).off('unhandledRejection', handle)
}
