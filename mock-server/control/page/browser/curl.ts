import type { Exchange } from '../../journal/exchange.ts'

/** Headers that curl sets itself, and those of browsers only. */
const OMITTED =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|user-agent|origin|referer|sec-.*|keep-alive)$/

/** Returns the command that sends a request again. Secrets stay redacted. */
export function curlOf({ method, url, requestHeaders, requestBody, events }: Exchange): string {
  const headers = Object.entries(requestHeaders).filter(([name]) => !OMITTED.test(name))
  const body = typeof requestBody === 'string' || requestBody === undefined ? requestBody : JSON.stringify(requestBody)
  return [
    `curl${events === undefined ? '' : ' -N'}${method === 'GET' ? '' : ` -X ${method}`} ${quote(url)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' \\\n  ')
}

/** Quotes a text for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
