/** One block of an event stream: its lines up to an empty line. */
export interface StreamBlock {
  /** Fields in order; a line without a colon is a field with an empty value. */
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  readonly comments: readonly string[]
  /** Whether an empty line closes it: a reader throws a block away that is not closed. */
  readonly closed: boolean
}

/** Splits the text of an event stream into blocks as the format of server-sent events says: CRLF, LF or CR. */
export function streamBlocks(raw: string): readonly StreamBlock[] {
  const lines = raw.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const unfinished = lines.pop() ?? ''
  const blocks: StreamBlock[] = []
  let open: string[] = []
  for (const line of lines) {
    if (line !== '') open.push(line)
    else if (open.length > 0) {
      blocks.push(block(open, true))
      open = []
    }
  }
  if (unfinished !== '') open.push(unfinished)
  return open.length > 0 ? [...blocks, block(open, false)] : blocks
}

/** Whether a block is an event: `id:`, `retry:` and comments alone are none. */
export function isEvent(block: StreamBlock): boolean {
  return block.fields.some(({ name }) => name === 'event' || name === 'data')
}

/** The values of a field in a block. */
export function valuesOf(block: StreamBlock, name: string): readonly string[] {
  return block.fields.filter((field) => field.name === name).map(({ value }) => value)
}

function block(lines: readonly string[], closed: boolean): StreamBlock {
  const fields = lines
    .filter((line) => !line.startsWith(':'))
    .map((line) => {
      const [name = '', ...rest] = line.split(':')
      return { name, value: rest.join(':').replace(/^ /, '') }
    })
  const comments = lines.filter((line) => line.startsWith(':')).map((line) => line.slice(1).trim())
  return { fields, comments, closed }
}
