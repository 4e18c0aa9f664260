/**
 * Returns a test of the bearer token of a request that takes the same time for every token.
 *
 * It compares hashes, so that the time depends on neither the content nor the length of the secret.
 */
export function bearerCheck(secret: string): (request: Request) => Promise<boolean> {
  const expected = digest(secret)
  return async (request) => {
    const [, token = ''] = /^Bearer (.*)$/i.exec(request.headers.get('authorization') ?? '') ?? []
    const [left, right] = await Promise.all([expected, digest(token)])
    let difference = 0
    for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0)
    return difference === 0
  }
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
