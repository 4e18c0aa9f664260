/** Ignores why a change failed: the next refresh shows what the server has, and the header whether there is a connection. */
export function attempt(change: Promise<unknown>): void {
  change.catch(() => undefined)
}
