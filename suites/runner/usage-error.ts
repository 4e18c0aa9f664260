/** What the caller gave cannot be used; the message names it, what was expected and the remedy. Exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
