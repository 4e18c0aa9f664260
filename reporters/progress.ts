import type { RequirementResult } from './model/report.ts'
import { oneLine } from './model/text.ts'

/** Told each row as it is decided; `end` leaves the stream at the start of a clean line. */
export interface Progress {
  (row: Pick<RequirementResult, 'id' | 'verdict'>): void
  end(): void
}

/** What progress is written to: `process.stderr` fits. */
export interface ProgressStream {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

/**
 * Reports progress while a run goes on: one line that is rewritten on a terminal, elsewhere a line for each tenth.
 *
 * @example
 * const progress = createProgress(rows.length, process.stderr)
 * progress({ id: 'thread.create.id', verdict: 'pass' })
 * progress.end()
 */
export function createProgress(total: number, stream: ProgressStream): Progress {
  const step = Math.max(1, Math.ceil(total / 10))
  const found = new Map<RequirementResult['verdict'], number>()
  let decided = 0

  const decide = (row: Pick<RequirementResult, 'id' | 'verdict'>): void => {
    decided += 1
    found.set(row.verdict, (found.get(row.verdict) ?? 0) + 1)
    const bad = (['fail', 'flaky', 'error', 'warning'] as const).flatMap((verdict) => {
      const times = found.get(verdict)
      return times === undefined ? [] : [`${times} ${verdict}`]
    })
    const summary = [`${decided} of ${total} decided`, ...bad].join(', ')
    if (stream.isTTY) {
      stream.write(`\r\u001b[2K${oneLine(`${summary}: ${row.id}`, Math.max(20, (stream.columns ?? 80) - 1))}`)
    } else if (decided % step === 0 || decided === total) {
      stream.write(`${summary}\n`)
    }
  }
  const end = (): void => {
    if (stream.isTTY && decided > 0) stream.write('\r\u001b[2K')
  }
  return Object.assign(decide, { end })
}
