import { concat } from '../../http/bytes.ts'

/** The first bytes of a body, with the time of each chunk. */
export type Capture = ReturnType<typeof createCapture>

/** Creates a capture of up to `maxBytes`. `onGrowth` is called with the bytes that each chunk adds. */
export function createCapture(maxBytes: number, onGrowth: (bytes: number) => void) {
  const chunks: { bytes: Uint8Array; at: number }[] = []
  let keptBytes = 0
  let size = 0
  return {
    chunks,
    /** The number of captured bytes. */
    get keptBytes() {
      return keptBytes
    },
    /** The number of bytes of the whole body so far. */
    get size() {
      return size
    },
    add: (bytes: Uint8Array, at: number): void => {
      size += bytes.byteLength
      // Copied: the sender may reuse the buffer, and a view would keep all of it in memory.
      const copy = bytes.slice(0, Math.max(0, maxBytes - keptBytes))
      if (copy.byteLength === 0) return
      keptBytes += copy.byteLength
      chunks.push({ bytes: copy, at })
      onGrowth(copy.byteLength)
    },
  }
}

/** Returns the captured bytes as text. */
export function textOf({ chunks }: Capture): string {
  return new TextDecoder().decode(concat(...chunks.map(({ bytes }) => bytes)))
}
