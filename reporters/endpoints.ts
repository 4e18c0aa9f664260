import type { Report, ReportEndpoint } from './model/report.ts'

/** The endpoints as a head shows them: shards may have met one at several ports, which is told once, by its first. */
export function shownEndpoints({ target }: Report): ReportEndpoint[] {
  const known = new Map<string, ReportEndpoint>()
  for (const endpoint of target.endpoints) {
    const key = JSON.stringify([endpoint.name, withoutPort(endpoint.url)])
    if (!known.has(key)) known.set(key, endpoint)
  }
  return [...known.values()]
}

function withoutPort(text: string): string {
  const url = URL.parse(text)
  if (url === null) return text
  url.port = ''
  return url.href
}
