import type { Outcome, Verdict } from '../../reporters/model/report.ts'
import { applies, levelOf } from '../catalog/catalog.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { areaOf } from '../catalog/requirement.ts'
import type { Check } from './check.ts'
import type { CommonContext } from './context.ts'
import { deploymentContext } from './deployment-context.ts'
import { Blocked, Inconclusive, NoAnswer, NotApplicable, Refused, Unmet } from './errors.ts'
import { exportContext } from './export/export-context.ts'
import { show } from './json.ts'
import { type About, createRecorder, type Recorder } from './recorder.ts'
import type { Session } from './session.ts'

/** What a check found for one row. */
export interface Decision extends Outcome {
  readonly row: RequirementId
}

/** Runs one check on one endpoint; every row of the check comes back with its own verdict. */
export async function runCheck(check: Check, session: Session): Promise<readonly Decision[]> {
  let started = performance.now()
  const rows = check.rows.filter((row) => applies(row, session.profile))
  const intent = check.rows.every((row) => levelOf(row) === 'UNSPECIFIED') ? 'probe' : 'documented'
  const scenario = session.recording.trace.scenario(session.endpointName, check.title, session.redaction, intent)
  const recorder = createRecorder(session.secrets, session.origins, scenario)
  const decisions = new Map<RequirementId, Decision>()
  const shared: Session = { ...session, once: (key, make) => session.once(key, () => keepingFailure(make)) }
  const keepingFailure = <T>(make: () => Promise<T>): Promise<T> =>
    make().catch((error: unknown) => {
      if (error instanceof Error) session.origins.noteFailure(error, recorder.evidence(wholeFailure, aboutOf(error)))
      throw error
    })
  const note: Note = (row, found, error) => {
    // A row that was decided as unmet stays so, whatever is found later.
    if (decisions.has(row) && decisions.get(row)?.verdict !== 'pass') return
    const durationMs = Math.round(performance.now() - started)
    started = performance.now()
    const evidence = found.evidence === undefined ? evidenceFor(found.verdict, session, recorder, error) : {}
    decisions.set(row, { row, endpoint: session.endpointName, check: check.title, durationMs, ...found, ...evidence })
  }
  const common = commonContext(check, shared, note)
  const context =
    areaOf(session.profile) === 'export' ? exportContext(common, recorder) : deploymentContext(common, recorder)
  try {
    await check.run(context)
    const left = rows.filter((row) => !decisions.has(row))
    const undecided = harnessError(new Error('the check made no decision about this requirement'))
    const found: Found = check.decidedByRules
      ? notExercised(session)
      : check.rows.length === 1
        ? { verdict: 'pass' }
        : undecided
    for (const row of left) note(row, found)
  } catch (error) {
    const left = rows.filter((row) => !decisions.has(row))
    const thrown = error instanceof NoAnswer ? blamingOne(error, left) : error
    for (const row of left) note(row, judge(thrown, row, note), thrown)
  }
  return [...decisions.values()]
}

/** The result of a scenario until rules decide. */
function notExercised({ blackBox }: Session): Found {
  return {
    verdict: 'inconclusive',
    failure: { message: 'expected a response that shows this, received none' },
    unlock: blackBox
      ? 'deploy the test graphs: rules need a graph whose behavior is known'
      : 'record the run with --trace to see what the server responded',
  }
}

/** What a failure shows. */
const wholeFailure = { exchanges: 12, streams: 4 } as const

/**
 * A failure shows all that led to it, an observation the answer itself; what blocks a row carries the evidence for it.
 * What failed while several checks waited for it shows the same to all of them.
 */
function evidenceFor(
  verdict: Verdict,
  { origins }: Session,
  recorder: Recorder,
  error: unknown,
): Pick<Outcome, 'evidence'> {
  if (verdict === 'pass' || verdict === 'blocked' || verdict === 'not-applicable') return {}
  const failed = verdict === 'fail' || verdict === 'warning' || verdict === 'error'
  if (!failed) return { evidence: recorder.evidence({ exchanges: 1, streams: 0 }, aboutOf(error)) }
  return { evidence: origins.failure(error) ?? recorder.evidence(wholeFailure, aboutOf(error)) }
}

function aboutOf(error: unknown): About | undefined {
  return error instanceof Refused || error instanceof Unmet ? error.about : undefined
}

type Found = Pick<Outcome, 'verdict'> & Partial<Outcome>

/** Notes what was found for a row, with what was thrown where something was. */
type Note = (row: RequirementId, found: Found, error?: unknown) => void

function commonContext(check: Check, session: Session, note: Note): CommonContext {
  const known = (row: RequirementId) => {
    if (!check.rows.includes(row)) throw new Error(`the check "${check.title}" does not declare ${row}`)
  }
  return {
    session,
    async decide(row, body) {
      known(row)
      try {
        await body()
        note(row, { verdict: 'pass' })
      } catch (error) {
        note(row, judge(error, row, note), error)
      }
    },
    block(row, by, why) {
      known(row)
      note(row, { verdict: 'blocked', blockedBy: by, failure: { message: why } })
    },
    observe(row, what) {
      known(row)
      note(row, { verdict: 'observed', observation: what })
    },
    verify(holds, what, expected, received, about) {
      if (!holds) throw new Unmet(what, expected, typeof received === 'string' ? received : show(received), about)
    },
  }
}

/** Turns what a check threw into the verdict of a row. */
function judge(error: unknown, row: RequirementId, note: Note): Pick<Outcome, 'verdict'> & Partial<Outcome> {
  const unmet: Verdict = levelOf(row) === 'MUST' ? 'fail' : levelOf(row) === 'SHOULD' ? 'warning' : 'observed'
  if (error instanceof Refused) {
    const failure = { message: error.message, expected: error.expected, received: error.received }
    if (error.row === row) {
      note(row, { verdict: unmet, failure }, error)
      return { verdict: unmet, failure }
    }
    note(error.row, { verdict: 'fail', failure }, error)
    return { verdict: 'blocked', blockedBy: error.row, failure: { message: error.message } }
  }
  if (error instanceof NoAnswer) return judgeLost(error, row, unmet, note)
  if (error instanceof Blocked) return { verdict: 'blocked', blockedBy: error.by, failure: { message: error.message } }
  if (error instanceof Inconclusive) {
    return { verdict: 'inconclusive', unlock: error.unlock, failure: { message: error.message } }
  }
  if (error instanceof NotApplicable) return { verdict: 'not-applicable', failure: { message: error.message } }
  if (!(error instanceof Unmet)) return harnessError(error)
  const failure = { message: error.message, expected: error.expected, received: error.received }
  return unmet === 'observed' ? { verdict: unmet, observation: failure.message } : { verdict: unmet, failure }
}

/** Checks decide their rows one after another: a judged request that is lost was for the first one left, not for all. */
function blamingOne(error: NoAnswer, left: readonly RequirementId[]): NoAnswer {
  const row = error.loss.row ?? left.find((one) => levelOf(one) === 'MUST')
  return row === undefined ? error : new NoAnswer(error.message, error.cause, { ...error.loss, row })
}

/** A lost request breaks the row that says that it is answered, whatever the check was about; else that of the check. */
function judgeLost({ message, loss }: NoAnswer, row: RequirementId, unmet: Verdict, note: Note): Found {
  const failure = { message, expected: 'a response', received: 'none' }
  if (loss.row !== undefined && loss.row !== row) {
    note(loss.row, { verdict: 'fail', failure, evidence: loss.evidence() })
    return { verdict: 'blocked', blockedBy: loss.row, failure: { message } }
  }
  if (unmet === 'observed') return { verdict: unmet, observation: message }
  return { verdict: unmet, failure, evidence: loss.evidence() }
}

function harnessError(error: unknown): Pick<Outcome, 'verdict'> & Partial<Outcome> {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const place =
    error instanceof Error ? (error.stack ?? '').split('\n').find((line) => line.includes('/suites/')) : undefined
  return { verdict: 'error', failure: { message: `${message}${place ? ` (${place.trim()})` : ''}` } }
}
