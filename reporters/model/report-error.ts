/** A report that cannot be read or merged; the message is a sentence for the user. */
export class ReportError extends Error {
  override readonly name = 'ReportError'
}
