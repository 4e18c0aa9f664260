/** Block of an event stream: the lines up to an empty line. */
export interface StreamBlock {
  /** Fields in order; a line without a colon is a field with an empty value. */
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  readonly comments: readonly string[]
  /** Whether it ends with an empty line: clients discard other blocks. */
  readonly closed: boolean
}

/** Splits an event stream into blocks. Lines end with CRLF, LF or CR, as in the format of server-sent events. */
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

/** Names of the documented events. */
const documented = ['metadata', 'updates']

/** Whether a block is an event: it has data, or the name of a documented event. Clients discard other blocks. */
export function isEvent(block: StreamBlock): boolean {
  return block.fields.some(({ name, value }) => name === 'data' || (name === 'event' && documented.includes(value)))
}

/** Values of a field in a block. */
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
