/**
 * Gives the memory under some bytes back at once; nothing may look at it afterwards. Left to the garbage collection,
 * which sees small objects only, an export would hold several times the memory that it uses.
 * Small pieces are left alone: they lie in memory that they share.
 */
export function giveBack({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0)
}
