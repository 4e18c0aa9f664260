/** Returns a function that has `draw` called in the next frame: once, for any number of calls until then. */
export function inNextFrame(draw: () => void): () => void {
  let isScheduled = false
  return () => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => {
      isScheduled = false
      draw()
    })
  }
}
