/** Operation that creates a background run. */
export const createRun = 'POST /threads/{thread_id}/runs'
/** Operation that creates a run and streams it. */
export const streamRun = 'POST /threads/{thread_id}/runs/stream'

/** Operations of both APIs, as the specification writes them: method and path template. */
const operations = [
  'POST /threads',
  'GET /threads',
  createRun,
  'GET /threads/{thread_id}/runs',
  streamRun,
  'GET /threads/{thread_id}/runs/{run_id}',
  'GET /threads/{thread_id}/runs/{run_id}/join',
  'GET /threads/{thread_id}/runs/{run_id}/stream',
  'GET /threads/{thread_id}/state',
  'POST /assistants',
  'POST /assistants/search',
  'GET /assistants/{assistant_id}',
  'POST /api/v1/bulk-exports/destinations',
  'POST /api/v1/bulk-exports',
  'GET /api/v1/bulk-exports',
  'GET /api/v1/bulk-exports/{export_id}',
  'PATCH /api/v1/bulk-exports/{export_id}',
  'GET /api/v1/bulk-exports/{export_id}/runs',
] as const

/** Operation of the specification, such as `GET /threads/{thread_id}/state`. */
export type Operation = (typeof operations)[number]

/** An operation with the values of its path parameters. */
export interface Call {
  readonly operation: Operation
  readonly params: Readonly<Record<string, string>>
}

/** Path segments that are not a parameter: the path of destinations matches that of an export. */
const reserved = '(?!destinations$)'

const patterns = operations.map((operation) => {
  const [method = '', template = ''] = operation.split(' ')
  const form = template.replaceAll(/\{(\w+)\}/g, `${reserved}(?<$1>[^/]+)`)
  return { operation, method, form: new RegExp(`^${form}$`) }
})

/**
 * Returns the operation that a request calls; undefined if the specification has none for its path.
 *
 * @example
 * callOf('GET', '/threads/7/state') // { operation: 'GET /threads/{thread_id}/state', params: { thread_id: '7' } }
 */
export function callOf(method: string, path: string): Call | undefined {
  const plain = path.replace(/\?.*$/, '')
  for (const { operation, method: expected, form } of patterns) {
    const groups = expected === method ? form.exec(plain) : null
    if (groups !== null) return { operation, params: { ...groups.groups } }
  }
  return undefined
}
