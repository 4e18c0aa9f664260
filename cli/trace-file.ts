import { closeSync, openSync, writeSync } from 'node:fs'
import { UsageError } from '../suites/runner/usage-error.ts'
import type { TraceEntry } from '../suites/trace/entries.ts'

/** A file that entries of a trace are appended to. */
interface TraceFile {
  /** Writes an entry at once: what was recorded before a crash is in the file. */
  readonly onTrace: (entry: TraceEntry) => void
  close(): void
}

/** Creates the file of a trace. */
export function createTraceFile(file: string): TraceFile {
  const descriptor = open(file)
  return {
    onTrace: (entry) => void writeSync(descriptor, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(descriptor),
  }
}

function open(file: string): number {
  try {
    return openSync(file, 'w')
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new UsageError(`--trace: expected a file that can be written, received ${file} (${why}). Name another file.`)
  }
}
