/** The same signal may come twice at once: from the terminal, and passed on by a parent process such as npm. */
const echoMs = 1000

/**
 * Lets SIGINT and SIGTERM end a run in order: `onFirst` is called with the first one; one that comes later than an echo
 * of it ends the process with exit code 3.
 */
export function endInOrder(onFirst: (signal: NodeJS.Signals) => void): void {
  let first: number | undefined
  const take = (signal: NodeJS.Signals): void => {
    if (first !== undefined) {
      if (performance.now() - first > echoMs) process.exit(3)
      return
    }
    first = performance.now()
    onFirst(signal)
  }
  process.on('SIGINT', take).on('SIGTERM', take)
}
