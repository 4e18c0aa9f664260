/** A request to show as a command. */
interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The value of a JSON body, any other body as a string. */
  readonly body?: unknown
  /** Whether the response is an event stream. */
  readonly streams: boolean
}

/** Headers that curl sets itself, and those of browsers only. */
const OMITTED =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|user-agent|origin|referer|sec-.*|keep-alive)$/

/** Returns the curl command that sends a request, on several lines. */
export function curl({ method, url, headers, body, streams }: CurlRequest): string {
  const sent = Object.entries(headers).filter(([name]) => !OMITTED.test(name))
  return [
    `curl${streams ? ' -N' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${quote(url)}`,
    ...sent.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(typeof body === 'string' ? body : JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

/** Quotes a text for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
