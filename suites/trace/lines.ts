import { createHash } from 'node:crypto'
import type { TraceEntry } from './entries.ts'

/** Writes entries as lines of a file (NDJSON). */
interface LineWriter {
  /** Writes one entry. */
  readonly onTrace: (entry: TraceEntry) => void
  /** Writes the last line, which shows whether the file is whole. */
  end(): void
}

/** Creates a writer that passes each line, with its end, to `write`. */
export function createLineWriter(write: (line: string) => void): LineWriter {
  const hash = createHash('sha256')
  let lines = 0
  const writeLine = (entry: TraceEntry) => {
    const line = `${JSON.stringify(entry)}\n`
    lines += 1
    hash.update(line)
    write(line)
  }
  return {
    onTrace: writeLine,
    end: () => writeLine({ type: 'checksum', lines, sha256: hash.copy().digest('hex') }),
  }
}

/** Splits text that arrives in parts into lines, without their ends. A last line without an end is a line, too. */
export async function* linesOf(parts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let unfinished: string[] = []
  for await (const part of parts) {
    const [first = '', ...others] = part.split('\n')
    unfinished.push(first)
    for (const next of others) {
      yield unfinished.join('')
      unfinished = [next]
    }
  }
  const last = unfinished.join('')
  if (last !== '') yield last
}
