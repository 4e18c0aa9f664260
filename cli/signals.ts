/** A signal can arrive twice at once: from the terminal, and from a parent process such as npm. */
const duplicateMs = 1000

const parentCheckMs = 500

/**
 * Calls `onEnd` when npm or npx, which started this process, has ended without passing the signal on.
 *
 * Elsewhere it does nothing: a server that a shell left in the background keeps running.
 */
export function onEndOfNpm(onEnd: () => void): void {
  if (process.env['npm_command'] === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onEnd()
  }, parentCheckMs)
  timer.unref()
}

/** Calls `onFirst` for the first SIGINT or SIGTERM. A later one, other than a duplicate, exits with code 3. */
export function onSignal(onFirst: (signal: NodeJS.Signals) => void): void {
  let firstAt: number | undefined
  const handle = (signal: NodeJS.Signals): void => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt > duplicateMs) process.exit(3)
      return
    }
    firstAt = performance.now()
    onFirst(signal)
  }
  process.on('SIGINT', handle).on('SIGTERM', handle)
}
