import type { RequirementResult } from './model/report.ts'
import { oneLine } from './model/text.ts'

type Decision = Pick<RequirementResult, 'id' | 'verdict'>

/** Shows progress: call it for each decided requirement, and `end` before you write anything else. */
export interface Progress {
  (decision: Decision): void
  end(): void
}

/** A stream that progress can be written to, such as `process.stderr`. */
export interface ProgressStream {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

/**
 * Creates a progress display: on a terminal, one line that is rewritten; otherwise, one line per tenth.
 *
 * @example
 * const progress = createProgress(requirements.length, process.stderr)
 * progress({ id: 'thread.create.id', verdict: 'pass' })
 * progress.end()
 */
export function createProgress(total: number, stream: ProgressStream): Progress {
  const step = Math.max(1, Math.ceil(total / 10))
  const counts = new Map<RequirementResult['verdict'], number>()
  let decided = 0

  const show = ({ id, verdict }: Decision): void => {
    decided += 1
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
    const failures = (['fail', 'flaky', 'error', 'warning'] as const).flatMap((name) => {
      const count = counts.get(name)
      return count === undefined ? [] : [`${count} ${name}`]
    })
    const summary = [`${decided} of ${total} decided`, ...failures].join(', ')
    if (stream.isTTY) {
      stream.write(`\r\u001b[2K${oneLine(`${summary}: ${id}`, Math.max(20, (stream.columns ?? 80) - 1))}`)
    } else if (decided % step === 0 || decided === total) {
      stream.write(`${summary}\n`)
    }
  }
  const end = (): void => {
    if (stream.isTTY && decided > 0) stream.write('\r\u001b[2K')
  }
  return Object.assign(show, { end })
}
