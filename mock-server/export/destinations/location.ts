import { ApiError } from '../../http/errors.ts'
import { preview } from '../../runtime/preview.ts'

/**
 * Validates the address of an S3-compatible store and returns it unchanged. Throws ApiError `Invalid endpoint` if it is
 * not an HTTP address or has a user, a query or a fragment.
 */
export function checkEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw invalidEndpoint('expected an address that begins with https:// or http://')
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidEndpoint('expected an address without user and password; set "credentials" instead')
  }
  if (url.search !== '' || url.hash !== '') throw invalidEndpoint('expected an address without query and fragment')
  return text
}

function invalidEndpoint(problem: string): ApiError {
  return new ApiError(
    'invalid-destination',
    `Failed to validate S3 destination: Invalid endpoint (field "config.endpoint_url": ${problem})`,
  )
}

// An object key has at most 1024 bytes. The path of an export and its file names take up to 290 of them.
const MAX_PREFIX_BYTES = 700
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects control characters
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/

/**
 * Removes slashes at the ends and empty segments of a prefix. Throws ApiError if it is too long, has control characters,
 * or has segments `.` or `..`, which some stores and most file systems resolve.
 */
export function normalizePrefix(prefix: string): string {
  const segments = prefix.split('/').filter((segment) => segment !== '')
  const dots = segments.find((segment) => segment === '.' || segment === '..')
  if (dots !== undefined || segments.some((segment) => segment.startsWith('..\\') || segment.includes('\\..'))) {
    throw new ApiError(
      'invalid-body',
      `Field "config.prefix": expected a path without . and .., received ${preview(prefix)}`,
    )
  }
  if (CONTROL_CHARACTER.test(prefix)) {
    throw new ApiError(
      'invalid-body',
      `Field "config.prefix": expected no control characters, received ${preview(prefix)}`,
    )
  }
  const normalized = segments.join('/')
  const bytes = new TextEncoder().encode(normalized).byteLength
  if (bytes > MAX_PREFIX_BYTES) {
    throw new ApiError(
      'invalid-body',
      `Field "config.prefix": expected at most ${MAX_PREFIX_BYTES} bytes, received ${bytes}`,
    )
  }
  return normalized
}
