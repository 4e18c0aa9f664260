import { closeSync, createReadStream, ftruncateSync, openSync, writeSync } from 'node:fs'
import { createEvaluation, type Evaluation } from '../suites/evaluate/evaluation.ts'
import type { TraceEntry } from '../suites/trace/entries.ts'
import { createLineWriter } from '../suites/trace/lines.ts'
import { type ReadTrace, readTrace, TraceError } from '../suites/trace/read.ts'
import { UsageError } from '../suites/values/usage-error.ts'
import { reasonOf } from './report-file.ts'

/** A file that entries of a trace are appended to. */
interface TraceFile {
  /** Writes an entry at once: what was recorded before a crash is in the file. */
  readonly onTrace: (entry: TraceEntry) => void
  close(): void
}

/** Creates the file of a trace. What the file contains is kept until the first scenario starts. */
export function createTraceFile(file: string): TraceFile {
  const descriptor = open(file)
  let waiting: string[] | undefined = []
  const { onTrace, end } = createLineWriter((line) => {
    if (waiting === undefined) writeSync(descriptor, line)
    else waiting.push(line)
  })
  const start = () => {
    if (waiting === undefined) return
    ftruncateSync(descriptor)
    for (const line of waiting) writeSync(descriptor, line)
    waiting = undefined
  }
  return {
    onTrace(entry) {
      if (entry.type === 'scenario') start()
      onTrace(entry)
    },
    close() {
      start()
      end()
      closeSync(descriptor)
    },
  }
}

/** A trace that was read. */
interface TraceToEvaluate extends Pick<ReadTrace, 'isCutOff'> {
  readonly evaluation: Evaluation
  /** What is wrong with the file, by line. */
  readonly damages: readonly string[]
}

/** Reads the file of a trace. */
export async function readTraceFile(file: string): Promise<TraceToEvaluate> {
  const evaluation = createEvaluation()
  try {
    const { problems, isCutOff } = await readTrace(createReadStream(file, 'utf8'), evaluation.add)
    return { evaluation, isCutOff, damages: problems.map(({ line, message }) => `${file}:${line}: ${message}`) }
  } catch (error) {
    if (error instanceof TraceError) throw new UsageError(`${file}: ${error.message}`)
    throw new UsageError(
      `expected a trace that can be read, received ${file}: ${reasonOf(error)}. Name a file that "touchstone test --trace" wrote.`,
    )
  }
}

function open(file: string): number {
  try {
    return openSync(file, 'a')
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new UsageError(`--trace: expected a file that can be written, received ${file} (${why}). Name another file.`)
  }
}
