import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Resource usage of a process and its descendants. */
export interface Usage {
  /** Microseconds of CPU time of all running threads. */
  readonly cpuMicros: number
  /** Microseconds that the busiest thread has run or waited for a core. */
  readonly busiestMicros: number
  /** Bytes of resident memory. */
  readonly residentBytes: number
}

/** Explains why usage cannot be read on this system; undefined if it can. */
export function whyNoUsage(): string | undefined {
  return existsSync('/proc/self/schedstat')
    ? undefined
    : `npm run bench requires /proc: expected Linux, received ${process.platform}`
}

/** Reads the usage of a process tree from the operating system, in the same way for servers in any language. */
export function usageOf(pid: number): Usage {
  const processes = processTree(pid)
  const times = processes.flatMap(threads).map(timesOf)
  return {
    cpuMicros: sum(times.map(({ cpuMicros }) => cpuMicros)),
    busiestMicros: Math.max(0, ...times.map(({ cpuMicros, queuedMicros }) => cpuMicros + queuedMicros)),
    residentBytes: sum(processes.map(residentBytesOf)),
  }
}

/** Peak resident memory of a process without its descendants, in bytes. */
export function peakBytesOf(pid: number): number {
  return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}

function processTree(pid: number): number[] {
  const children = threads(pid).flatMap((thread) => read(`${thread}/children`).split(' ').filter(Boolean).map(Number))
  return [pid, ...children.flatMap(processTree)]
}

/** The kernel reports nanoseconds on a core and nanoseconds in the queue for one. */
function timesOf(thread: string): { cpuMicros: number; queuedMicros: number } {
  const [cpu = 0, queued = 0] = read(`${thread}/schedstat`).split(' ').map(Number)
  return { cpuMicros: cpu / 1000, queuedMicros: queued / 1000 }
}

function residentBytesOf(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}

function threads(pid: number): string[] {
  const folder = `/proc/${pid}/task`
  try {
    return readdirSync(folder).map((thread) => `${folder}/${thread}`)
  } catch {
    return []
  }
}

/** Returns an empty text if the thread has ended since it was listed. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
