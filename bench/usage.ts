import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** What a process and all that it started have used so far. */
export interface Usage {
  /** Microseconds of CPU, of all threads that still live. */
  readonly cpuMicros: number
  /** Microseconds that the busiest of their threads has computed, or queued for a core to compute on. */
  readonly busiestMicros: number
  /** Bytes of memory that are resident. */
  readonly residentBytes: number
}

/** Why usage cannot be read on this system; undefined where it can. */
export function whyNoUsage(): string | undefined {
  return existsSync('/proc/self/schedstat')
    ? undefined
    : `npm run bench reads /proc of Linux; this is ${process.platform}`
}

/** Reads the usage of a process tree as the system accounts it: the same for servers in every language. */
export function usageOf(pid: number): Usage {
  const processes = family(pid)
  const times = processes.flatMap(threads).map(timesOf)
  return {
    cpuMicros: sum(times.map(({ cpuMicros }) => cpuMicros)),
    busiestMicros: Math.max(0, ...times.map(({ cpuMicros, queuedMicros }) => cpuMicros + queuedMicros)),
    residentBytes: sum(processes.map(residentBytesOf)),
  }
}

/** The most memory that a process has ever had resident, without what it started; in bytes. */
export function peakBytesOf(pid: number): number {
  return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}

function family(pid: number): number[] {
  const children = threads(pid).flatMap((thread) => read(`${thread}/children`).split(' ').filter(Boolean).map(Number))
  return [pid, ...children.flatMap(family)]
}

/** The kernel tells nanoseconds on a core, and nanoseconds in the queue for one. */
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

/** A thread may end between being listed and being read. */
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
