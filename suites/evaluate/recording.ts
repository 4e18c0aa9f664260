import type { TraceEntry, TraceStart } from '../trace/entries.ts'
import { createTrace, type Trace } from '../trace/trace.ts'
import { createEvaluation, type Evaluation } from './evaluation.ts'

/** A trace that is written and evaluated at the same time. */
export interface Recording {
  readonly trace: Trace
  readonly evaluation: Evaluation
}

/** What the start of a trace says of the test run. */
export type RunDescription = Omit<TraceStart, 'type' | 'version' | 'startedAt'>

/** A test run of a target that has no name. */
const undescribed: RunDescription = {
  suite: { version: '', catalogHash: '', seed: '' },
  target: { name: 'target' },
  repeat: 1,
  accept: {},
  baseline: {},
}

/** Starts a recording. Each entry is evaluated, and passed to `write`. */
export function startRecording(
  write: (entry: TraceEntry) => void = () => undefined,
  description: RunDescription = undescribed,
): Recording {
  const evaluation = createEvaluation()
  const trace = createTrace((entry) => {
    write(entry)
    evaluation.add(entry)
  }, performance.now.bind(performance))
  trace.start({ ...description, startedAt: new Date().toISOString() })
  return { trace, evaluation }
}
