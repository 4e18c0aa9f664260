import type { RequirementId } from '../../catalog/generated/ids.ts'
import type { DeploymentModel, Run } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import {
  activeElsewhere,
  type History,
  hasConcurrentRuns,
  histories,
  isInterrupting,
  isQueued,
  mayBeInterruptedElsewhere,
  type StrategyTurn,
  wasActiveAtInterruptsElsewhere,
  wasActiveAtReject,
} from '../../model/histories.ts'
import { finalStatus, hadEnded, viewsAfterCreation } from '../../model/run-ends.ts'
import { at, show } from '../../values/json.ts'
import { isFinal } from '../../values/run-status.ts'
import { type CauseOf, equal, failureOf, type ItemOf, type Rule, rules } from '../rule.ts'

/** The statuses of all runs that must succeed, and of those that were interrupted. */
function* ends(model: DeploymentModel) {
  for (const history of select(model, histories)) {
    for (const [index, turn] of history.turns.entries()) {
      const later = history.turns.slice(index + 1)
      const view = viewsAfterCreation(turn.run).find(({ exchange, record }) => {
        if (turn.requiredEnd === 'success') return isFinal(at(record, 'status'))
        // The specification sets no time limit for an interruption but the end of the new run, if that was not interrupted.
        const isOver = ({ run }: StrategyTurn) => hadEnded(run, exchange.sentAt) && finalStatus(run) !== 'interrupted'
        const isNew = ({ run }: StrategyTurn) => run.creation.sentAt >= (turn.interruption?.by.sentAt ?? 0)
        return typeof at(record, 'status') === 'string' && later.filter(isNew).some(isOver)
      })
      if (view === undefined || turn.requiredEnd === 'unknown') continue
      const { exchange, record } = view
      const before = history.thread.requests.filter(({ sentAt }) => sentAt < exchange.sentAt)
      const setup = [history.thread.creation, ...before, turn.interruption?.before]
      const requirement = endRequirement(model, history, turn, index)
      yield { exchange, setup, turn, status: at(record, 'status'), requirement }
    }
  }
}

/** Returns the requirement about the end of a run in its situation. */
function endRequirement(
  model: DeploymentModel,
  history: History,
  turn: StrategyTurn,
  index: number,
): RequirementId | undefined {
  const { strategy, turns, isConcurrent, firstOnUsedThread, thread } = history
  const earlier = turns.slice(0, index)
  if (strategy === 'mixed') return hasConcurrentRuns(history) ? 'multitask.governed-by-strategy' : undefined
  if (turn.requiredEnd === 'interrupted') {
    const isFirst = earlier.every(({ requiredEnd }) => requiredEnd === 'success')
    return isFirst ? 'multitask.interrupt.earlier-interrupted' : 'multitask.interrupt.repeated.each-interrupted'
  }
  if (strategy === 'enqueue') {
    if (isConcurrent) return 'multitask.enqueue.at-the-same-time.each-executes'
    if (firstOnUsedThread > 0 && index >= firstOnUsedThread) return 'multitask.enqueue.used-thread.executes'
    // Another run may have been created on a thread whose queue was empty.
    const isClear = index === 1 || isQueued(model, turn)
    if (turn.isOnBusyThread) return isClear ? 'multitask.enqueue.executes' : 'multitask.governed-by-strategy'
    return turns[index + 1]?.isOnBusyThread ? 'multitask.enqueue.earlier-succeeds' : undefined
  }
  if (strategy === 'interrupt') {
    if (turns.length === 1 && wasActiveAtInterruptsElsewhere(model, turn)) return otherThreads
    if (!turn.isOnBusyThread) return undefined
    return earlier.some(isInterrupting)
      ? 'multitask.interrupt.repeated.last-succeeds'
      : 'multitask.interrupt.new-run-succeeds'
  }
  if (wasActiveAtReject(turn)) return 'multitask.reject.earlier-succeeds'
  const isOnOther =
    thread.requests[0] === turn.run.creation && activeElsewhere(model, turn.run.creation, thread) !== undefined
  return isOnOther ? 'multitask.reject.other-threads-succeed' : 'multitask.reject.later-run-succeeds'
}

const verifyEnd = (id: RequirementId) => (end: ItemOf<typeof ends>, model: DeploymentModel) => {
  const isInterrupted = end.turn.requiredEnd === 'interrupted'
  const isCause = id === otherThreads || isInterrupted || end.requirement !== id
  const cause = isCause ? undefined : interruptedElsewhere({ run: end.turn.run, status: end.status }, model)
  if (cause !== undefined) return cause
  const when = isInterrupted ? 'once a run that interrupts it has ended' : 'at its end'
  const name = `the status of the run with the input ${show(end.turn.input)}, ${when},`
  return end.requirement === id && equal(name, end.status, isInterrupted ? 'interrupted' : 'success')
}

const otherThreads = 'multitask.interrupt.other-threads-status'

const otherThreadsFailure = failureOf(
  endRules([otherThreads]),
  ({ mismatch }) => mismatch?.received === '"interrupted"',
)

/** Returns the requirement that fails because a run with `interrupt` also interrupted a run of another thread. */
export function interruptedElsewhere(
  { run, status }: { readonly run: Run; readonly status: unknown },
  model: DeploymentModel,
): RequirementId | undefined {
  if (status !== 'interrupted' || !mayBeInterruptedElsewhere(model, run)) return undefined
  return derive(model, someSucceed) ? otherThreadsFailure({ run }, model) : undefined
}

/** Whether any run shows `success`. If none does, the server has no such status. */
const someSucceed = ({ runs }: DeploymentModel): boolean =>
  [...runs.values()].some((run) => finalStatus(run) === 'success')

/** Creates rules about the statuses with which runs end. */
export function endRules(
  ids: readonly RequirementId[],
  causeOf?: CauseOf<DeploymentModel>,
): readonly Rule<DeploymentModel>[] {
  return rules(ends, Object.fromEntries(ids.map((id) => [id, verifyEnd(id)])), causeOf)
}
