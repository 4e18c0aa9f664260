import { createHash } from 'node:crypto'
import { show } from '../harness/json.ts'
import { type TraceEntry, traceEntry, traceVersion } from './entries.ts'
import { linesOf } from './lines.ts'

/** What is wrong with a line of a trace, with the line number from 1. */
export interface TraceProblem {
  readonly line: number
  readonly message: string
}

/** The first line of a file is not the start of a trace that this version reads. */
export class TraceError extends Error {}

/** Longest line, in characters: a longer one is no response that a report could show. */
const lineLimit = 64 * 1024 * 1024

/**
 * Reads a trace and passes its entries to `add`. Returns what is wrong with it: a line that cannot be used is left out,
 * the others are still passed.
 *
 * @throws TraceError if the first line is not the start of a trace of this version
 */
export async function readTrace(
  text: AsyncIterable<string> | Iterable<string>,
  add: (entry: TraceEntry) => void,
): Promise<readonly TraceProblem[]> {
  const problems: TraceProblem[] = []
  const open = new Map<number, number>()
  const hash = createHash('sha256')
  let line = 0
  let isWhole = false
  for await (const lineText of linesOf(text)) {
    line += 1
    const problem = (message: string) => problems.push({ line, message })
    const entry = lineText.length > lineLimit ? tooLong(lineText) : parseLine(lineText)
    if (line === 1) checkStart(entry, lineText)
    if (typeof entry === 'object' && entry.type === 'checksum') {
      isWhole = true
      const changed = changedAfterwards(entry, line - 1, hash.copy().digest('hex'))
      if (changed !== undefined) problem(changed)
    } else if (isWhole) {
      problem('expected the end of the file after the checksum, received another line: the file was changed')
    }
    hash.update(`${lineText}\n`)
    const wrong = typeof entry === 'string' ? entry : misplaced(entry, open, line)
    if (wrong !== undefined) problem(wrong)
    else add(entry as TraceEntry)
  }
  if (line === 0) checkStart('an empty file', '')
  if (!isWhole)
    problems.push({ line, message: 'expected a checksum as the last line, received none: the trace was cut off' })
  else
    for (const [id, at] of open)
      problems.push({ line: at, message: `expected an end of exchange ${id}, received none` })
  return problems
}

function tooLong({ length }: string): string {
  return `expected a line of at most ${lineLimit} characters, received ${length}`
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

function checkStart(entry: TraceEntry | string, text: string): void {
  if (typeof entry === 'object' && entry.type === 'trace') return
  const version = /^\{"type":"trace","version":(\d+)/.exec(text)?.[1]
  const received = version === undefined ? show(text.slice(0, 60) || 'an empty file') : `version ${version}`
  throw new TraceError(
    `expected the first line to be the start of a trace of version ${traceVersion}, received ${received}. Use a file that "touchstone test --trace FILE" of this version wrote.`,
  )
}

function changedAfterwards(
  expected: TraceEntry & { type: 'checksum' },
  lines: number,
  sha256: string,
): string | undefined {
  if (expected.lines === lines && expected.sha256 === sha256) return undefined
  return `expected ${expected.lines} lines before the checksum with the SHA-256 ${expected.sha256}, received ${lines} with ${sha256}: the file was changed after it was written`
}

/** Returns why an entry does not fit those before it; notes in `open` the line of each exchange that has not ended. */
function misplaced(entry: TraceEntry, open: Map<number, number>, line: number): string | undefined {
  if (entry.type === 'request') open.set(entry.id, line)
  if (entry.type !== 'head' && entry.type !== 'chunk' && entry.type !== 'end') return undefined
  if (!open.has(entry.id)) return `expected an open exchange, received the ${entry.type} of exchange ${entry.id}`
  if (entry.type === 'end') open.delete(entry.id)
  return undefined
}
