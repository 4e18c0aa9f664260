import type { TraceEntry } from '../suites/trace/entries.ts'

/** Counts the responses of a test run that probably have a common cause outside of the requests. */
interface RefusalNotes {
  onTrace(entry: TraceEntry): void
  /** Returns a line for each cause; empty if there is none. */
  text(): string
}

/** Statuses with which a proxy says that it could not get a response of the server. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/** Creates counters for the responses of rate limits, and for the HTML pages of proxies, which no API sends. */
export function createRefusalNotes(): RefusalNotes {
  let limited = 0
  const pages = new Map<string, number>()
  return {
    onTrace(entry) {
      if (entry.type !== 'head') return
      const { status, headers } = entry
      if (status === 429) limited += 1
      if (!gatewayStatuses.has(status) || !headers['content-type']?.startsWith('text/html')) return
      const page = `the status ${status}${headers['server'] === undefined ? '' : ` from ${headers['server']}`}`
      pages.set(page, (pages.get(page) ?? 0) + 1)
    },
    text() {
      const limit = `requests refused with 429, and sent again: ${limited}; a rate limit makes the run longer\n`
      const gateway = [...pages].map(
        ([page, count]) =>
          `responses in HTML with ${page}: ${count}; probably of a proxy or during a restart, compare with --concurrency 1\n`,
      )
      return `${limited > 0 ? limit : ''}${gateway.join('')}`
    },
  }
}
