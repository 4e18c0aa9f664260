/** The path of exports. */
export const exportsPath = '/api/v1/bulk-exports'

/** Whether a request lists exports. */
export function isList({ method, url }: Request): boolean {
  return method === 'GET' && new URL(url).pathname === exportsPath
}

/** Whether a request lists the runs of an export. */
export function isRunList({ method, url }: Request): boolean {
  return method === 'GET' && new URL(url).pathname.endsWith('/runs')
}

/** Whether a request creates an export. */
export function isCreation({ method, url }: Request): boolean {
  return method === 'POST' && new URL(url).pathname === exportsPath
}
