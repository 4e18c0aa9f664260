/** Invalid input from the user; the message states what was expected, what was received and the remedy. Exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
