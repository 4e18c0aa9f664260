/**
 * A request that the export API refuses: the HTTP status and a sentence; nothing of the state has changed.
 *
 * @example throw new Refusal(404, 'Export 7e3… not found')
 */
export class Refusal extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.headers = headers
  }
}

/** The refusal as an answer. Bodies of errors are not stated; this is the form of the public server. */
export function refusalResponse({ status, message, headers }: Refusal): Response {
  return Response.json({ detail: message }, { status, headers })
}
