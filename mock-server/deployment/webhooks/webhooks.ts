import type { Clock } from '../../runtime/clock.ts'
import type { Dialect } from '../dialect.ts'
import type { Policies } from '../policies.ts'
import type { Run } from '../records.ts'

/** An attempt to deliver a webhook. */
export interface Delivery {
  readonly run_id: string
  /** Counted from 1. */
  readonly attempt: number
  /** The URL of the receiver, or a path of this server. */
  readonly url: string
  readonly contentType: string
  readonly body: string
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
}

/** Sends a delivery and returns the status of the response; undefined without one. Never rejects. */
export type SendWebhook = (delivery: Delivery) => Promise<number | undefined>

interface WebhookTools {
  readonly clock: Clock
  readonly dialect: Dialect
  readonly policies: Policies
  readonly send: SendWebhook
}

// The longest time that advancing the clock waits for the response of a receiver.
const LONGEST_HOLD_MS = 10_000
const FIRST_RETRY_MS = 1000

/** Delivers the webhooks of runs that have ended. */
export class Webhooks {
  readonly #tools: WebhookTools
  readonly #stopped = new AbortController()

  constructor(tools: WebhookTools) {
    this.#tools = tools
  }

  /** Delivers the webhook of a run, which has just ended. As on the public servers, a run that never started has none. */
  deliver(run: Run, isRolledBack: boolean): void {
    const { webhook } = run.kwargs
    if (webhook == null || run.started_at === undefined || this.#stopped.signal.aborted) return
    void this.#send(run.run_id, webhook, this.#body(run, run.started_at, isRolledBack))
  }

  /** Ends all deliveries. */
  stop(): void {
    this.#stopped.abort()
  }

  /** Returns the payload as JSON. If the graph left a value that JSON does not have, the payload is the reason. */
  #body(run: Run, startedAt: number, isRolledBack: boolean): string {
    const { clock, dialect, policies } = this.#tools
    const { timestamp } = dialect
    try {
      return JSON.stringify({
        ...policies.presentRun(run, dialect),
        run_started_at: timestamp(startedAt),
        run_ended_at: timestamp(run.updated_at),
        webhook_sent_at: timestamp(clock.now()),
        ...policies.presentWebhook(run, isRolledBack),
      })
    } catch (error) {
      const { run_id, thread_id, status } = run
      const message = error instanceof Error ? error.message : String(error)
      return JSON.stringify({ run_id, thread_id, status, values: null, error: { error: 'TypeError', message } })
    }
  }

  async #send(run_id: string, url: string, body: string): Promise<void> {
    const { clock, dialect, send } = this.#tools
    const { attempts, contentType } = dialect.webhooks
    const { signal } = this.#stopped
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const release = clock.hold(LONGEST_HOLD_MS)
      const status = await send({ run_id, attempt, url, contentType, body, signal }).finally(release)
      if (signal.aborted || !isTemporary(status) || attempt === attempts) return
      await clock.sleep(FIRST_RETRY_MS * 2 ** (attempt - 1), signal).catch(() => undefined)
      if (signal.aborted) return
    }
  }
}

/** Whether another attempt can succeed. */
function isTemporary(status: number | undefined): boolean {
  return status === undefined || status === 429 || status >= 500
}
