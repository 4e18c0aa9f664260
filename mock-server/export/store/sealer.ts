import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts texts, so that who reads the state or its backup reads no secret. */
export interface Sealer {
  /** The text encrypted; `context` binds it to its place and is needed to open it. */
  seal(text: string, context: string): string
  /** Throws when the key or the context is another one, or the text was changed. */
  open(sealed: string, context: string): string
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** The bytes of a fresh key. */
export function freshKey(): Buffer {
  return randomBytes(32)
}

/**
 * The bytes of a key that is written as 64 hexadecimal digits or in base64.
 *
 * Throws a TypeError when they are not 32; the text itself is not repeated.
 */
export function parseKey(text: string): Buffer {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (bytes.length === 32) return bytes
  throw new TypeError(
    `The encryption key has ${bytes.length} bytes; expected 32, as 64 hexadecimal digits or in base64 (openssl rand -hex 32)`,
  )
}

/** Seals with AES-256-GCM. */
export function createSealer(key: Buffer): Sealer {
  return {
    seal: (text, context) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
    },
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
