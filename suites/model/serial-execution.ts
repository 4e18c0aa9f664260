import { earliestEndAlone, showsStep, stateReads } from './bounds.ts'
import type { DeploymentModel, Run } from './deployment.ts'
import { derive } from './endpoint.ts'
import { finalStatus } from './run-ends.ts'

/**
 * Returns when other runs last kept a run waiting, at most a given time: a server that executes one run at a time may execute
 * later ones first. 0 if the trace shows two runs that executed at the same time.
 */
export function busyWithOthers(model: DeploymentModel, run: Run, time: number): number {
  if (!derive(model, isSerial)) return 0
  const ended = [...model.runs.values()].filter(
    (other) => other !== run && other.creation.sentAt < time && Number.isFinite(other.endShownAt),
  )
  return ended.reduce((latest, { endShownAt }) => Math.max(latest, Math.min(endShownAt, time)), 0)
}

/** Whether no two sleeping runs certainly executed at the same time. */
function isSerial(model: DeploymentModel): boolean {
  const sleeps = [...model.runs.values()].flatMap((run) => {
    const begun = stateReads(run).find((reading) => showsStep(reading, run, 'before'))
    const endMs = earliestEndAlone(model, run)
    const isWhole = begun !== undefined && endMs !== undefined && finalStatus(run) === 'success'
    return isWhole && begun.endedAt < endMs ? [{ startMs: begun.endedAt, endMs }] : []
  })
  const inOrder = sleeps.toSorted((a, b) => a.startMs - b.startMs)
  return inOrder.every(({ startMs }, index) => startMs >= (inOrder[index - 1]?.endMs ?? 0))
}
