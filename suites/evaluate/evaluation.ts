import { worst } from '../../reporters/model/verdict.ts'
import { createTraceLog, type RoundLog, type TraceLog } from '../model/exchange.ts'
import { type Decision, decideEndpoint } from './decisions.ts'

/** Decides requirements from the entries of a trace. */
export interface Evaluation extends Pick<TraceLog, 'add' | 'start' | 'finish' | 'endpoints'> {
  /** Returns the decisions about everything that was added. */
  decide(): Promise<readonly Decision[]>
}

/**
 * Creates an evaluation of a trace that is being recorded or read. Each repeat of the test run is evaluated when it ends,
 * so that the trace of one repeat at a time is in memory.
 *
 * @example
 * const evaluation = createEvaluation()
 * await readTrace(text, evaluation.add)
 * const decisions = await evaluation.decide()
 */
export function createEvaluation(): Evaluation {
  let ended: Promise<readonly Decision[]> = Promise.resolve([])
  const added = async (round: RoundLog) =>
    combine([...(await ended), ...(await decideRound(round, log.start.startedAt))])
  const log = createTraceLog((round) => {
    ended = added(round)
    // `decide` rejects with the error.
    ended.catch(() => undefined)
  })
  return {
    add: log.add,
    endpoints: log.endpoints,
    get start() {
      return log.start
    },
    get finish() {
      return log.finish
    },
    async decide() {
      const open = [...log.rounds.values()].map((round) => decideRound(round, log.start.startedAt))
      return combine([...(await ended), ...(await Promise.all(open)).flat()])
    },
  }
}

async function decideRound(round: RoundLog, startedAt: string): Promise<readonly Decision[]> {
  const decisions = [...round.values()].map((endpoint) => decideEndpoint(endpoint, Date.parse(startedAt)))
  return (await Promise.all(decisions)).flat()
}

/**
 * Combines the decisions of several repeats: what rules decided is one decision for each requirement and endpoint, and what
 * scenarios reported again is left out.
 */
function combine(decisions: readonly Decision[]): readonly Decision[] {
  const groups = Map.groupBy(decisions, ({ endpoint, requirement }) => `${endpoint} ${requirement}`)
  return [...groups.values()].flatMap((group) => {
    const [decided, reported] = [group.filter(isByRules), group.filter((decision) => !isByRules(decision))]
    const shown = decided.length === 0 ? reported : reported.filter(({ verdict }) => verdict === 'error')
    const distinct = new Map(shown.toReversed().map((decision) => [reportOf(decision), decision]))
    return [...(decided.length === 0 ? [] : [combineDecided(decided)]), ...[...distinct.values()].reverse()]
  })
}

function isByRules({ exercised }: Decision): boolean {
  return exercised !== undefined
}

function reportOf({ check, verdict, observation, failure }: Decision): string {
  return JSON.stringify([check, verdict, observation, failure?.message])
}

/** Combines what rules decided about a requirement: it is flaky if it passes in some repeats and fails in others. */
function combineDecided(decisions: readonly Decision[]): Decision {
  const verdicts = decisions.map(({ verdict }) => verdict)
  const verdict = worst(verdicts)
  const flips = verdicts.includes('pass') && (verdict === 'fail' || verdict === 'warning')
  const shown = decisions.find((decision) => decision.verdict === verdict) as Decision
  const total = (key: 'exercised' | 'failed' | 'failedResponses') =>
    decisions.reduce((sum, decision) => sum + (decision[key] ?? 0), 0)
  const [exercised, failed, failedResponses] = [total('exercised'), total('failed'), total('failedResponses')]
  const combined = {
    ...shown,
    exercised,
    ...(failed > 0 && { failed }),
    ...(failedResponses > 0 && { failedResponses }),
  }
  return { ...combined, verdict: flips || verdicts.includes('flaky') ? 'flaky' : verdict }
}
