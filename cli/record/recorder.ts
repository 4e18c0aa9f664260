import type { IncomingMessage } from 'node:http'
import { createCapture } from '../../mock-server/control/journal/capture.ts'
import type { Entry } from '../../mock-server/control/journal/exchange.ts'
import { learnSecrets } from '../../mock-server/control/journal/learn-secrets.ts'
import { createSecrets, type Secrets } from '../../mock-server/control/journal/secrets.ts'

/** An exchange while it is recorded. */
interface OpenExchange {
  /** Records a part of the request's body. */
  readonly sent: (bytes: Uint8Array) => void
  head(status: number, headers: Headers): void
  /** Records a part of the response's body. */
  readonly received: (bytes: Uint8Array) => void
  /** Records the end. Later calls are ignored. */
  end(failure?: 'connection reset' | 'client left'): void
}

/** Records the exchanges of a proxy in memory, in the format of the mock server's journal. */
export interface Recorder {
  readonly startedAt: number
  /** In the order of the requests. */
  readonly entries: readonly Entry[]
  readonly secrets: Secrets
  begin(method: string, url: string, headers: Headers): OpenExchange
}

const MAX_BODY_BYTES = 16 * 2 ** 20

/** Creates a recorder. */
export function createRecorder(): Recorder {
  const entries: Entry[] = []
  const secrets = createSecrets([])
  return {
    startedAt: now(),
    entries,
    secrets,
    begin: (method, url, requestHeaders) => {
      const entry: Entry = {
        id: entries.length + 1,
        method,
        url,
        path: new URL(url).pathname,
        at: now(),
        requestHeaders,
        requestBody: createCapture(MAX_BODY_BYTES, () => undefined),
        responseBody: createCapture(MAX_BODY_BYTES, () => undefined),
        state: 'arrived',
        status: undefined,
        responseHeaders: undefined,
        headAt: undefined,
        endedAt: undefined,
        failure: undefined,
        webhook: undefined,
      }
      entries.push(entry)
      learnSecrets(entry, secrets)
      return {
        sent: (bytes) => entry.requestBody.add(bytes, now()),
        head: (status, headers) => {
          if (entry.state === 'ended') return
          Object.assign(entry, { status, responseHeaders: headers, headAt: now(), state: 'answered' })
        },
        received: (bytes) => entry.responseBody.add(bytes, now()),
        end: (failure) => {
          if (entry.state === 'ended') return
          Object.assign(entry, { endedAt: now(), failure, state: 'ended' })
          learnSecrets(entry, secrets)
        },
      }
    },
  }
}

/** Milliseconds since the Unix epoch, which a change of the system date does not affect. */
function now(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 10) / 10
}

/** Returns the headers of a request or a response, as the journal records them. */
export function recordedHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  }
  return headers
}
