import { oneLine } from './model/text.ts'

/** Shows progress. Call `close` before you write anything else. */
export interface Progress {
  /** Call it when a check starts. */
  started(title: string): void
  /** Call it when a check has ended. */
  ended(title: string): void
  close(): void
}

/** A stream that progress can be written to, such as `process.stderr`. */
export interface ProgressStream {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

/** Characters of the bar on a terminal. */
const barWidth = 20

/**
 * Creates a progress display: on a terminal, one line with a bar, counts and the check that has been running longest;
 * otherwise, one line per tenth. `now` returns milliseconds.
 *
 * @example
 * const progress = createProgress(checks.length, process.stderr)
 * progress.started('creates threads')
 * progress.ended('creates threads')
 * progress.close()
 */
export function createProgress(total: number, stream: ProgressStream, now = () => performance.now()): Progress {
  const step = Math.max(1, Math.ceil(total / 10))
  const running: { title: string; since: number }[] = []
  let count = 0
  const show = () => {
    const filled = Math.round((count / Math.max(1, total)) * barWidth)
    const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`
    const [slowest] = running
    const seconds = slowest === undefined ? 0 : Math.floor((now() - slowest.since) / 1000)
    const detail = slowest === undefined ? '' : `: ${slowest.title}${seconds > 0 ? `, ${seconds} s` : ''}`
    const width = Math.max(20, (stream.columns || 80) - 1)
    stream.write(`\r\u001b[2K${oneLine(`${bar} ${count} of ${total} checks${detail}`, width)}`)
  }
  const timer = stream.isTTY ? setInterval(show, 1000).unref() : undefined
  return {
    started(title) {
      running.push({ title, since: now() })
      if (stream.isTTY) show()
    },
    ended(title) {
      count += 1
      const index = running.findIndex((check) => check.title === title)
      if (index !== -1) running.splice(index, 1)
      if (stream.isTTY) show()
      else if (count % step === 0 || count === total) stream.write(`${count} of ${total} checks\n`)
    },
    close() {
      clearInterval(timer)
      if (stream.isTTY) stream.write('\r\u001b[2K')
    },
  }
}
