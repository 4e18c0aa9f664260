import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { createEvaluation, type Evaluation } from '../suites/evaluate/evaluation.ts'
import { UsageError } from '../suites/runner/usage-error.ts'
import type { TraceEntry } from '../suites/trace/entries.ts'
import { createLineWriter } from '../suites/trace/lines.ts'
import { readTrace, TraceError } from '../suites/trace/read.ts'
import { reasonOf } from './report-file.ts'

/** A file that entries of a trace are appended to. */
interface TraceFile {
  /** Writes an entry at once: what was recorded before a crash is in the file. */
  readonly onTrace: (entry: TraceEntry) => void
  close(): void
}

/** Creates the file of a trace. */
export function createTraceFile(file: string): TraceFile {
  const descriptor = open(file)
  const { onTrace, end } = createLineWriter((line) => void writeSync(descriptor, line))
  return {
    onTrace,
    close() {
      end()
      closeSync(descriptor)
    },
  }
}

/** Reads the file of a trace and evaluates it. Returns the evaluation, and what is wrong with the file, by line. */
export async function readTraceFile(
  file: string,
): Promise<{ readonly evaluation: Evaluation; readonly damages: readonly string[] }> {
  const evaluation = createEvaluation()
  try {
    const problems = await readTrace(createReadStream(file, 'utf8'), evaluation.add)
    return { evaluation, damages: problems.map(({ line, message }) => `${file}:${line}: ${message}`) }
  } catch (error) {
    if (error instanceof TraceError) throw new UsageError(`${file}: ${error.message}`)
    throw new UsageError(`expected a trace that can be read, received ${file}: ${reasonOf(error)}.`)
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
