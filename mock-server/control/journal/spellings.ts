const SHORTEST_BASE64 = 6

/** Returns the ways in which a secret can occur in a text: plain, in a URL, in JSON, and in base64, also of a longer text. */
export function spellings(secret: string): string[] {
  const inUrl = encodeURIComponent(secret)
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inBase64 = [0, 1, 2]
    .map((offset) => base64Core(secret, offset))
    .filter(({ length }) => length >= SHORTEST_BASE64)
  const inBase64Url = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [...new Set([secret, inUrl, inUrl.replaceAll('%20', '+'), inJson, ...inBase64, ...inBase64Url])]
}

/** Returns the part of a text's base64 that does not depend on the text around it, after `offset` other bytes. */
function base64Core(text: string, offset: number): string {
  const bytes = new TextEncoder().encode(text)
  const encoded = btoa(String.fromCharCode(...new Uint8Array(offset), ...bytes.subarray(0, 8192)))
  // A base64 character has six bits. Those that contain bits of the surrounding text are left out.
  const from = Math.ceil((offset * 8) / 6)
  const to = Math.floor(((offset + Math.min(bytes.length, 8192)) * 8) / 6)
  return encoded.slice(from, to)
}
