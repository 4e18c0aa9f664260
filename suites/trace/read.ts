import { type TraceEntry, traceEntry, traceVersion } from './entries.ts'

/** A line of a trace that cannot be used, with the line number from 1. */
interface TraceProblem {
  readonly line: number
  readonly message: string
}

/** Entries of a trace, and what could not be read. */
export interface ReadTrace {
  readonly entries: readonly TraceEntry[]
  readonly problems: readonly TraceProblem[]
}

/**
 * Reads a trace from its lines (NDJSON). A line that cannot be used becomes a problem; the others are still returned.
 *
 * @throws Error if the first line is not the start of a trace of this version
 */
export function readTrace(lines: Iterable<string>): ReadTrace {
  const entries: TraceEntry[] = []
  const problems: TraceProblem[] = []
  const open = new Map<number, number>()
  let line = 0
  for (const text of lines) {
    line += 1
    if (text.trim() === '') continue
    const entry = parseLine(text)
    if (entries.length === 0) checkStart(entry)
    if (typeof entry === 'string') {
      problems.push({ line, message: entry })
      continue
    }
    const problem = misplaced(entry, open, line)
    if (problem === undefined) entries.push(entry)
    else problems.push({ line, message: problem })
  }
  if (entries.length === 0) checkStart('an empty file')
  for (const [id, requestLine] of open) {
    problems.push({ line: requestLine, message: `exchange ${id} has no end: the trace was cut off` })
  }
  return { entries, problems }
}

/** Returns the entry of a line, or what is wrong with the line. */
function parseLine(text: string): TraceEntry | string {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return `expected JSON, received ${text.slice(0, 60)}`
  }
  const { success, data, error } = traceEntry.safeParse(json)
  if (success) return data
  const [issue] = error.issues
  return `expected an entry of a trace: ${[...(issue?.path ?? []), issue?.message].join(' ')}`
}

function checkStart(entry: TraceEntry | string): void {
  if (typeof entry === 'object' && entry.type === 'trace') return
  const received = typeof entry === 'string' ? entry : `an entry of the type "${entry.type}"`
  throw new Error(
    `expected the first line to be the start of a trace of version ${traceVersion}, received ${received}. Use a file that "touchstone test --trace FILE" of this version wrote.`,
  )
}

/** Returns why an entry does not fit those before it; notes in `open` the line of each exchange that has not ended. */
function misplaced(entry: TraceEntry, open: Map<number, number>, line: number): string | undefined {
  if (entry.type === 'request') open.set(entry.id, line)
  if (entry.type !== 'head' && entry.type !== 'chunk' && entry.type !== 'end') return undefined
  if (!open.has(entry.id)) return `expected an open exchange, received the ${entry.type} of exchange ${entry.id}`
  if (entry.type === 'end') open.delete(entry.id)
  return undefined
}
