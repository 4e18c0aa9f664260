import { oneLine } from './model/text.ts'

/** Shows progress: call it with the title of each check that ended, and `end` before you write anything else. */
export interface Progress {
  (title: string): void
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
 * const progress = createProgress(checks.length, process.stderr)
 * progress('creates threads')
 * progress.end()
 */
export function createProgress(total: number, stream: ProgressStream): Progress {
  const step = Math.max(1, Math.ceil(total / 10))
  let ended = 0
  const show = (title: string): void => {
    ended += 1
    const summary = `${ended} of ${total} checks`
    if (stream.isTTY) {
      stream.write(`\r\u001b[2K${oneLine(`${summary}: ${title}`, Math.max(20, (stream.columns ?? 80) - 1))}`)
    } else if (ended % step === 0 || ended === total) {
      stream.write(`${summary}\n`)
    }
  }
  const end = (): void => {
    if (stream.isTTY && ended > 0) stream.write('\r\u001b[2K')
  }
  return Object.assign(show, { end })
}
