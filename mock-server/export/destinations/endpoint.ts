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
