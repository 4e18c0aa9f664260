import type { Report, ReportEndpoint } from './model/report.ts'

/** The endpoints to show at the top of a report. An endpoint that had another port in each shard is shown once. */
export function shownEndpoints({ target }: Report): ReportEndpoint[] {
  const shown = new Map<string, ReportEndpoint>()
  for (const endpoint of target.endpoints) {
    const key = JSON.stringify([endpoint.name, withoutPort(endpoint.url)])
    if (!shown.has(key)) shown.set(key, endpoint)
  }
  return [...shown.values()]
}

function withoutPort(text: string): string {
  const url = URL.parse(text)
  if (url === null) return text
  url.port = ''
  return url.href
}
