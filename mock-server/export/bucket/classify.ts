import { BucketError, type BucketProblem } from './bucket.ts'

// The codes of S3's public error table that tell one of the document's four errors, and those worth another try.
const CODES: Readonly<Record<string, BucketProblem>> = {
  AccessDenied: 'access-denied',
  AccountProblem: 'access-denied',
  AllAccessDisabled: 'access-denied',
  SignatureDoesNotMatch: 'access-denied',
  ExpiredToken: 'access-denied',
  InvalidToken: 'access-denied',
  TokenRefreshRequired: 'access-denied',
  RequestTimeTooSkewed: 'access-denied',
  NoSuchBucket: 'no-bucket',
  InvalidBucketName: 'no-bucket',
  MethodNotAllowed: 'no-bucket',
  PermanentRedirect: 'no-bucket',
  TemporaryRedirect: 'no-bucket',
  AuthorizationHeaderMalformed: 'no-bucket',
  InvalidAccessKeyId: 'unknown-key',
  InternalError: 'busy',
  OperationAborted: 'busy',
  RequestTimeout: 'busy',
  ServiceUnavailable: 'busy',
  SlowDown: 'busy',
  SlowDownRead: 'busy',
  SlowDownWrite: 'busy',
}

const LIKE_A_CODE = /^[A-Z][A-Za-z0-9]{2,63}$/
const NETWORK = /^(?:E[A-Z_]{3,}|ERR_[A-Z_]+|UND_ERR_[A-Z_]+|CERT_[A-Z_]+|[A-Z_]+_CERT(?:_[A-Z_]+)?)$/

/** What came of a request to an S3-compatible store, from what its client threw. */
export function classify(thrown: unknown): BucketError {
  if (thrown instanceof BucketError) return thrown
  const { Code, name, code, $metadata } = Object(thrown) as Record<string, unknown>
  const status = Number(Object($metadata)['httpStatusCode'] ?? Number.NaN)
  // Only an error document of S3 has a code; a page that another kind of server sends has none.
  if (typeof Code === 'string' && LIKE_A_CODE.test(Code)) {
    return new BucketError(CODES[Code] ?? (status >= 500 ? 'busy' : 'other'), `the store answered ${Code}`)
  }
  if (name === 'CredentialsProviderError') {
    return new BucketError('access-denied', 'the runtime of the service has no credentials')
  }
  if (name === 'AbortError') return new BucketError('other', 'the request was called off')
  // Before the name: the client also calls a connection that broke a timeout.
  if (typeof code === 'string' && NETWORK.test(code))
    return new BucketError('unreachable', `the connection failed: ${code}`)
  if (name === 'TimeoutError') return new BucketError('unreachable', 'no answer came in time')
  if (status >= 500) return new BucketError('unreachable', `it answered with status ${status}`)
  if (Number.isFinite(status)) {
    return new BucketError('no-endpoint', `what answered with status ${status} is no S3-compatible store`)
  }
  return new BucketError('no-endpoint', 'no request could be sent to it')
}
