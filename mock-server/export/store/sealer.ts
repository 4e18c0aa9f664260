import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts secrets, so that nobody can read them in the stored state or its backups. */
export interface Sealer {
  /** Encrypts a text. The same `context` is needed to open it. */
  seal(text: string, context: string): string
  /** Decrypts a text. Throws if the key or the context differs or the text was modified. */
  open(sealed: string, context: string): string
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Generates a key. */
export function freshKey(): Buffer {
  return randomBytes(32)
}

/**
 * Parses a key of 32 bytes, written as 64 hexadecimal digits or in base64.
 *
 * Throws a TypeError if the length is wrong; the message does not repeat the key.
 */
export function parseKey(text: string): Buffer {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (bytes.length === 32) return bytes
  throw new TypeError(
    `Encryption key: expected 32 bytes as 64 hexadecimal digits or in base64, received ${bytes.length} bytes; create one with openssl rand -hex 32`,
  )
}

/** Creates a sealer that uses AES-256-GCM. */
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
