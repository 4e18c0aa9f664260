import { ApiError } from '../../http/errors.ts'

/**
 * The address of an S3-compatible store, as it was given. Throws ApiError `Invalid endpoint` for a text that is no HTTP
 * address, or one with a user, a query or a fragment.
 */
export function checkEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw invalid('expected an address that begins with https:// or http://')
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('expected an address without user and password; put them into "credentials"')
  }
  if (url.search !== '' || url.hash !== '') throw invalid('expected an address without query and fragment')
  return text
}

function invalid(why: string): ApiError {
  return new ApiError(
    'invalid-destination',
    `Failed to validate S3 destination: Invalid endpoint (field "config.endpoint_url": ${why})`,
  )
}

// The key of an object has 1024 bytes at most; the path of an export and the name of its files take up to 290 of them.
const MOST_BYTES = 700
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * A prefix without slashes at its ends and without empty segments. Throws ApiError for one that is too long, has control
 * characters, or has segments `.` or `..`: some stores and most file systems take those as a way out of the prefix.
 */
export function normalisePrefix(prefix: string): string {
  const segments = prefix.split('/').filter((segment) => segment !== '')
  const wrong = segments.find((segment) => segment === '.' || segment === '..')
  if (wrong !== undefined || segments.some((segment) => segment.startsWith('..\\') || segment.includes('\\..'))) {
    throw new ApiError(
      'invalid-body',
      `Field "config.prefix": expected a path without . and .., received ${shown(prefix)}`,
    )
  }
  if (CONTROL.test(prefix)) {
    throw new ApiError(
      'invalid-body',
      `Field "config.prefix": expected no control characters, received ${shown(prefix)}`,
    )
  }
  const normal = segments.join('/')
  const bytes = new TextEncoder().encode(normal).byteLength
  if (bytes > MOST_BYTES) {
    throw new ApiError('invalid-body', `Field "config.prefix": expected ${MOST_BYTES} bytes at most, received ${bytes}`)
  }
  return normal
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
