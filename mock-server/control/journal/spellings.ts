const SHORTEST_BASE64 = 6

/** A secret as it may stand in a text: as it is, in an address, in JSON, and in base64, also as a part of a longer text. */
export function spellings(secret: string): string[] {
  const inAddress = encodeURIComponent(secret)
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inBase64 = [0, 1, 2]
    .map((offset) => base64Core(secret, offset))
    .filter(({ length }) => length >= SHORTEST_BASE64)
  const forAddresses = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [...new Set([secret, inAddress, inAddress.replaceAll('%20', '+'), inJson, ...inBase64, ...forAddresses])]
}

/** The part of a text's base64 that is the same whatever stands around it, when so many bytes stand before it. */
function base64Core(text: string, offset: number): string {
  const bytes = new TextEncoder().encode(text)
  const encoded = btoa(String.fromCharCode(...new Uint8Array(offset), ...bytes.subarray(0, 8192)))
  // A character of base64 has six bits: those that share one with what stands around are not its own.
  const from = Math.ceil((offset * 8) / 6)
  const to = Math.floor(((offset + Math.min(bytes.length, 8192)) * 8) / 6)
  return encoded.slice(from, to)
}
