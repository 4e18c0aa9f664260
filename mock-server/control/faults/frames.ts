import { concat } from './bytes.ts'

const LF = 10
const CR = 13
const COLON = 58

/** An event or a comment of an event stream, with the empty line that ends it. */
export interface Frame {
  readonly bytes: Uint8Array
  /** The number of the event, counted from 1; for a comment, that of the event before. */
  readonly event: number
  readonly isEvent: boolean
}

/** Yields the frames of an event stream as they arrive. The rest after the last empty line is the last frame. */
export async function* framesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Frame> {
  let rest: Uint8Array = new Uint8Array()
  let event = 0
  const frame = (bytes: Uint8Array): Frame => {
    const isEvent = bytes[0] !== COLON
    if (isEvent) event++
    return { bytes, event, isEvent }
  }
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    rest = rest.length === 0 ? part.value : concat(rest, part.value)
    for (let end = endOfFrame(rest); end > 0; end = endOfFrame(rest)) {
      yield frame(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  }
  if (rest.length > 0) yield frame(rest)
}

/** Returns the length of the first frame, with its empty line; 0 if it is not complete. */
function endOfFrame(bytes: Uint8Array): number {
  for (let index = bytes.indexOf(LF); index >= 0; index = bytes.indexOf(LF, index + 1)) {
    if (bytes[index + 1] === LF) return index + 2
    if (bytes[index + 1] === CR && bytes[index + 2] === LF) return index + 3
  }
  return 0
}
