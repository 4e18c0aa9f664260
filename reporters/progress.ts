import { groupFindings } from './findings.ts'
import type { Report } from './model/report.ts'
import { oneLine } from './model/text.ts'
import { indented } from './wrap.ts'

/** Shows progress. Call `close` before you write anything else. */
export interface Progress {
  /** Call it when a check starts. */
  started(title: string): void
  /** Call it when a check has ended. */
  ended(title: string): void
  /** Shows a report of what was tested so far: on a terminal, failures that two reports in a row have, each once. */
  tested(report: Report): void
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
  // Responses that are still to come can turn the failures of one report into passes.
  let failing = new Set<string>()
  const shown = new Set<string>()
  let count = 0
  const columns = () => stream.columns || 80
  const show = () => {
    const filled = Math.round((count / Math.max(1, total)) * barWidth)
    const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`
    const [slowest] = running
    const seconds = slowest === undefined ? 0 : Math.floor((now() - slowest.since) / 1000)
    const detail = slowest === undefined ? '' : `: ${slowest.title}${seconds > 0 ? `, ${seconds} s` : ''}`
    const width = Math.max(20, columns() - 1)
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
    tested(report) {
      const { rootCauses } = groupFindings(report)
      const confirmed = rootCauses.filter(({ requirements: [{ id }] }) => failing.has(id) && !shown.has(id))
      failing = new Set(rootCauses.map(({ requirements: [{ id }] }) => id))
      if (!stream.isTTY || confirmed.length === 0) return
      const lines = confirmed.map(({ headline, requirements: [{ id }] }) => {
        shown.add(id)
        return indented(columns(), `✗ ${oneLine(id, 200)}  `, oneLine(headline, 1000), 4)
      })
      stream.write(`\r\u001b[2K${lines.join('\n')}\n`)
      show()
    },
    close() {
      clearInterval(timer)
      if (stream.isTTY) stream.write('\r\u001b[2K')
    },
  }
}
