import type { Report } from '../../reporters/model/report.ts'
import type { Evaluation } from '../evaluate/evaluation.ts'
import { createReport } from '../evaluate/report.ts'

/** Reports on what was recorded so far. */
export interface InterimReports {
  /** Shortest time between two of them, in milliseconds. */
  readonly everyMs: number
  readonly onReport: (report: Report) => void
}

/** An evaluation is followed by a pause that is this many times longer, because it slows down the test run. */
const pauseFactor = 20

/** Evaluates again and again what was recorded so far. Returns a function that stops this. */
export function startInterimReports(evaluation: Evaluation, { everyMs, onReport }: InterimReports): () => void {
  let timer: NodeJS.Timeout
  let isStopped = false
  const schedule = (ms: number) => {
    timer = setTimeout(() => void run(), ms).unref()
  }
  const run = async () => {
    const started = performance.now()
    // An error in a rule is reported by the evaluation at the end.
    const report = await createReport(evaluation).catch(() => undefined)
    if (isStopped) return
    if (report !== undefined) onReport(report)
    schedule(Math.max(everyMs, pauseFactor * (performance.now() - started)))
  }
  schedule(everyMs)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
