import { BucketError, type BucketProblem } from './bucket.ts'

// Error codes of S3 that mean one of the four errors of the specification, and those that are worth a retry.
const CODES: readonly (readonly [problem: BucketProblem, codes: string])[] = [
  ['access-denied', 'AccessDenied AccountProblem AllAccessDisabled SignatureDoesNotMatch'],
  ['access-denied', 'ExpiredToken InvalidToken TokenRefreshRequired RequestTimeTooSkewed'],
  ['no-bucket', 'NoSuchBucket InvalidBucketName MethodNotAllowed'],
  ['no-bucket', 'PermanentRedirect TemporaryRedirect AuthorizationHeaderMalformed'],
  ['unknown-key', 'InvalidAccessKeyId'],
  ['busy', 'InternalError OperationAborted RequestTimeout ServiceUnavailable SlowDown SlowDownRead SlowDownWrite'],
]
const PROBLEM_BY_CODE: ReadonlyMap<string, BucketProblem> = new Map(
  CODES.flatMap(([problem, codes]) => codes.split(' ').map((code) => [code, problem] as const)),
)

const CODE_PATTERN = /^[A-Z][A-Za-z0-9]{2,63}$/
const NETWORK_ERROR = /^(?:E[A-Z_]{3,}|ERR_[A-Z_]+|UND_ERR_[A-Z_]+|CERT_[A-Z_]+|[A-Z_]+_CERT(?:_[A-Z_]+)?)$/

/** Converts an error of the S3 client into a BucketError. */
export function toBucketError(error: unknown): BucketError {
  if (error instanceof BucketError) return error
  const { Code, name, code, $metadata } = Object(error) as Record<string, unknown>
  const status = Number(Object($metadata)['httpStatusCode'] ?? Number.NaN)
  // Only an S3 error document has a code; the error page of another kind of server has none.
  if (typeof Code === 'string' && CODE_PATTERN.test(Code)) {
    return new BucketError(
      PROBLEM_BY_CODE.get(Code) ?? (status >= 500 ? 'busy' : 'other'),
      `the store returned ${Code}`,
    )
  }
  if (name === 'CredentialsProviderError') {
    return new BucketError('access-denied', 'the runtime of the service has no credentials')
  }
  if (name === 'AbortError') return new BucketError('other', 'the request was cancelled')
  // Before TimeoutError: the client reports some broken connections as timeouts.
  if (typeof code === 'string' && NETWORK_ERROR.test(code))
    return new BucketError('unreachable', `the connection failed: ${code}`)
  if (name === 'TimeoutError') return new BucketError('unreachable', 'the store did not respond in time')
  if (status >= 500) return new BucketError('unreachable', `the store responded with status ${status}`)
  if (Number.isFinite(status)) {
    return new BucketError(
      'no-endpoint',
      `the server responded with status ${status} and is not an S3-compatible store`,
    )
  }
  return new BucketError('no-endpoint', 'no request could be sent')
}
