import type { Delivery } from '../deployment/webhooks/webhooks.ts'
import type { Recorder } from './journal/journal.ts'

/** Sends a request to the receiver of a webhook. */
export type WebhookFetch = (request: Request) => Response | Promise<Response>

const TIMEOUT_MS = 30_000

/** Sends a delivery, which the journal records. Returns the status of the response; undefined without one. Never rejects. */
export async function deliverWebhook(
  { url, contentType, body, signal, run_id, attempt }: Delivery,
  { journal, fetch }: { readonly journal: Recorder | undefined; readonly fetch: WebhookFetch },
): Promise<number | undefined> {
  const request = (options: RequestInit = {}): Request =>
    new Request(new URL(url, 'http://mock'), {
      ...options,
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
      // Another host may be one that webhooks must not call.
      redirect: 'manual',
    })
  const exchange = journal?.begin(request(), undefined, { run_id, attempt })
  // The journal records the part of the body that is read.
  await exchange?.request.text()
  try {
    const received = await fetch(request({ signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) }))
    const response = (await exchange?.respond(received)) ?? received
    await response.body?.cancel()
    return response.status
  } catch (error) {
    exchange?.fail(error)
    return undefined
  }
}
