import { createHash } from 'node:crypto'
import { show, textAt } from '../values/json.ts'
import { type TraceEntry, traceEntry, traceVersion } from './entries.ts'
import { linesOf } from './lines.ts'

/** What is wrong with a line of a trace, with the line number from 1. */
interface TraceProblem {
  readonly line: number
  readonly message: string
}

/** What is wrong with a trace. */
export interface ReadTrace {
  /** Lines that cannot be used, and what shows that the file was changed. */
  readonly problems: readonly TraceProblem[]
  /** Whether the end of the file is missing. */
  readonly isCutOff: boolean
}

/** The first line of a file is not the start of a trace that this version reads. */
export class TraceError extends Error {}

/** Number of lines, and their ends, that are hashed at once. */
const hashedAtOnce = 200

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
): Promise<ReadTrace> {
  const problems: TraceProblem[] = []
  const open: OpenExchanges = new Map()
  const hash = createHash('sha256')
  // One update for many lines: a call takes longer than the hash of a short line.
  let unhashed: string[] = []
  let line = 0
  let end: 'none' | 'finish' | 'checksum' | 'beyond' = 'none'
  let unread: TraceProblem | undefined
  for await (const lineText of linesOf(text)) {
    line += 1
    // The last line of a trace that was cut off may be a part of one.
    if (unread !== undefined) problems.push(unread)
    unread = undefined
    const entry = lineText.length > lineLimit ? tooLong(lineText) : parseLine(lineText)
    if (line === 1) checkStart(entry, lineText)
    if (end === 'checksum') {
      end = 'beyond'
      problems.push({ line, message: 'expected the end of the file after the checksum, received more lines' })
    }
    if (end === 'beyond') continue
    const wrong = typeof entry === 'string' ? entry : misplaced(entry, open, line)
    if (typeof entry === 'string') unread = { line, message: entry }
    else if (wrong !== undefined) problems.push({ line, message: wrong })
    else add(entry)
    if (typeof entry === 'object' && entry.type === 'finish') {
      if (entry.interrupted === undefined) problems.push(...endless(open))
      end = 'finish'
    }
    if (typeof entry === 'object' && entry.type === 'checksum') {
      end = 'checksum'
      const changed = changedAfterwards(entry, line - 1, hash.update(unhashed.join('')).digest('hex'))
      if (changed !== undefined) problems.push({ line, message: changed })
    }
    unhashed.push(lineText, '\n')
    if (end !== 'checksum' && unhashed.length >= hashedAtOnce) {
      hash.update(unhashed.join(''))
      unhashed = []
    }
  }
  if (line === 0) checkStart('an empty file', '')
  const isCutOff = end !== 'checksum' && end !== 'beyond'
  if (unread !== undefined && !isCutOff) problems.push(unread)
  return { problems, isCutOff }
}

/** Exchanges without an end: the line of the request, and whether a response head was read. */
type OpenExchanges = Map<number, { readonly line: number; hasHead: boolean }>

function endless(open: OpenExchanges): readonly TraceProblem[] {
  return [...open].map(([id, { line }]) => ({ line, message: `expected an end of exchange ${id}, received none` }))
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
  const type = textAt(json, 'type')
  const [issue] = error.issues
  if (issue?.path[0] === 'type' || issue === undefined)
    return `expected an entry of a trace, received the type ${show(type)}`
  return `expected an entry of the type ${show(type)}: ${issue.path.join('.')}: ${issue.message}`
}

function checkStart(entry: TraceEntry | string, text: string): void {
  if (typeof entry === 'object' && entry.type === 'trace') return
  const version = /^\{"type":"trace","version":(\d+)/.exec(text)?.[1]
  if (version === String(traceVersion)) throw new TraceError(`the first line is damaged: ${entry}. Use the whole file.`)
  const expected = `expected a trace of version ${traceVersion}`
  if (version !== undefined)
    throw new TraceError(
      `${expected}, received version ${version}. Evaluate it with the version of Touchstone that wrote it.`,
    )
  const received = text === '' ? 'an empty file' : `another file, which starts with ${show(text.slice(0, 40))}`
  throw new TraceError(`${expected}, received ${received}. Use a file that "touchstone test --trace FILE" wrote.`)
}

function changedAfterwards(
  expected: TraceEntry & { type: 'checksum' },
  lines: number,
  sha256: string,
): string | undefined {
  if (expected.lines !== lines)
    return `the file was changed: expected ${expected.lines} lines before the checksum, received ${lines}`
  if (expected.sha256 === sha256) return undefined
  return 'the file was changed: expected the text, with its line ends, that was written, received another one'
}

/** Returns why an entry does not fit those before it; notes which exchanges are open. */
function misplaced(entry: TraceEntry, open: OpenExchanges, line: number): string | undefined {
  if (entry.type === 'request') open.set(entry.id, { line, hasHead: false })
  if (entry.type !== 'head' && entry.type !== 'chunk' && entry.type !== 'end') return undefined
  const exchange = open.get(entry.id)
  if (exchange === undefined) return `expected an open exchange, received the ${entry.type} of exchange ${entry.id}`
  if (entry.type === 'head') exchange.hasHead = true
  const needsHead = entry.type === 'chunk' || (entry.type === 'end' && entry.fate !== 'lost' && entry.fate !== 'left')
  if (needsHead && !exchange.hasHead) return `expected a head of exchange ${entry.id} first, received its ${entry.type}`
  if (entry.type === 'end') open.delete(entry.id)
  return undefined
}
