/** Formats a time as `2026-01-01 12:00:00 UTC`. */
export function instant(ms: number): string {
  return `${iso(ms).slice(0, 19).replace('T', ' ')} UTC`
}

/** Formats a time of a day as `12:00:00.123`. */
export function timeOfDay(ms: number): string {
  return iso(ms).slice(11, 23)
}

/** Formats a date as `2026-01-01`. */
export function date(ms: number): string {
  return iso(ms).slice(0, 10)
}

function iso(ms: number): string {
  const time = new Date(ms)
  return Number.isNaN(time.getTime()) ? String(ms).padEnd(24) : time.toISOString()
}

/** Formats a duration as `12 ms`, `1.24 s`, `2 min 3 s` or `3 h 20 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`
}

/** Formats a count with its noun: `1 request`, `2 requests`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}
