import { concat } from '../faults/bytes.ts'

/** Bytes that passed by, and when; only the first ones are kept. */
export interface Capture {
  readonly chunks: readonly { readonly bytes: Uint8Array; readonly at: number }[]
  /** Bytes that are kept. */
  readonly kept: number
  /** Bytes that passed by. */
  readonly size: number
  add(bytes: Uint8Array, at: number): void
}

/** Keeps up to `most` bytes, and tells `onGrowth` how many more with each chunk. */
export function createCapture(most: number, onGrowth: (bytes: number) => void): Capture {
  const chunks: { bytes: Uint8Array; at: number }[] = []
  let kept = 0
  let size = 0
  return {
    chunks,
    get kept() {
      return kept
    },
    get size() {
      return size
    },
    add: (bytes, at) => {
      size += bytes.byteLength
      // A copy: what is sent may be written over afterwards, and a part of a large buffer would keep all of it.
      const part = bytes.slice(0, Math.max(0, most - kept))
      if (part.byteLength === 0) return
      kept += part.byteLength
      chunks.push({ bytes: part, at })
      onGrowth(part.byteLength)
    },
  }
}

/** What was kept, as a text. */
export function textOf({ chunks }: Capture): string {
  return new TextDecoder().decode(concat(...chunks.map(({ bytes }) => bytes)))
}
