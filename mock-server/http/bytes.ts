/** Concatenates byte arrays. */
export function concat(...arrays: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(arrays.reduce((size, array) => size + array.length, 0))
  let offset = 0
  for (const array of arrays) {
    whole.set(array, offset)
    offset += array.length
  }
  return whole
}
