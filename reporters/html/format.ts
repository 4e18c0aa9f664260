/** A duration for a reader: `3 ms`, `850 ms`, `2.35 s`, `4 min 5 s`. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return 'an unknown time'
  if (Math.abs(ms) < 9.95) return `${Number(ms.toFixed(1))} ms`
  if (Math.abs(ms) < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 2 : 1))} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** An instant for a reader: `2026-03-01 10:00:00 UTC`; a text that is none comes back as it is. */
export function instant(text: string): string {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? text : `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
