import { concat } from '../../http/bytes.ts'

const QUOTE = 34
const FIRST_BYTE_OF_E_ACUTE = 0xc3

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** Returns the first half of a JSON text, which is never valid JSON. */
export function halfJson(text: string): string {
  const half = text.slice(0, Math.ceil(text.length / 2))
  try {
    JSON.parse(half)
    return `${half}}`
  } catch {
    return half
  }
}

/** Returns the index of the second byte of the first character with several bytes; -1 if all are ASCII. */
export function withinCharacter(bytes: Uint8Array): number {
  return bytes.findIndex(isContinuation)
}

/** Removes all but the first byte of a character. If all are ASCII, adds the first byte of another character. */
export function halfCharacter(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const from = withinCharacter(bytes)
  if (from < 0) {
    const place = Math.max(0, bytes.lastIndexOf(QUOTE))
    return concat(bytes.subarray(0, place), Uint8Array.of(FIRST_BYTE_OF_E_ACUTE), bytes.subarray(place))
  }
  let to = from
  while (isContinuation(bytes[to])) to++
  return concat(bytes.subarray(0, from), bytes.subarray(to))
}

/** Returns an event with half of its data. */
export function halfEvent(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(bytes)
  return new TextEncoder().encode(text.replace(/^data: ?(.*)$/m, (_, data) => `data: ${halfJson(data)}`))
}
