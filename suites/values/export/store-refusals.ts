/** Requests that a store must refuse so that requirements can be tested, with the error codes that show the reason. */
export const storeRefusals = {
  'access-denied': { what: 'a file from the account NONE', code: 'AccessDenied' },
  'bucket-missing': { what: 'a file in a bucket that does not exist', code: 'NoSuchBucket' },
  'unknown-key': { what: 'a file with an unknown key id', code: 'InvalidAccessKeyId' },
  'wrong-secret': { what: 'a file signed with a wrong secret', code: 'SignatureDoesNotMatch' },
  'delete-denied': { what: 'a deletion by the account NO_DELETE', code: 'AccessDenied' },
} as const

export type StoreRefusal = keyof typeof storeRefusals
