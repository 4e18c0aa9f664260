import { exportsPath } from '../harness/export/paths.ts'
import { createHttp } from '../harness/http.ts'
import type { Session } from '../harness/session.ts'
import { UsageError } from '../values/usage-error.ts'
import { untilReady, type WaitingListener } from './until-ready.ts'

/**
 * Waits for an endpoint of the bulk export API and lists its exports once.
 *
 * @throws UsageError if the endpoint is not reachable, or the configuration does not fit it
 */
export async function preflightExports(session: Session, onWaiting: WaitingListener): Promise<void> {
  const { endpoint, endpointName } = session
  const http = createHttp({
    session,
    headers: { 'content-type': 'application/json', ...endpoint.headers },
    user: 'usual',
    timeoutMs: () => session.budgets.waitMs,
  })
  const list = { method: 'GET', path: exportsPath } as const
  await untilReady(session, http, list, onWaiting)
  const { status, ok, json } = await http.send(list)
  const isRefused = status === 401 || status === 403
  const isMissing = status === 404 || status === 405
  const lacksJson = ok && json === undefined
  if (!isRefused && !isMissing && !lacksJson) return
  const expected = lacksJson ? `JSON from GET ${exportsPath}` : `a 2xx response to GET ${exportsPath}`
  const remedy = isRefused
    ? 'Check the headers X-API-Key and X-Tenant-Id and their environment variables.'
    : 'Check that the URL is the base URL of the bulk export API.'
  throw new UsageError(
    `the endpoint "${endpointName}" (${endpoint.url}): expected ${expected}, received ${status}${lacksJson ? ' without JSON' : ''}. ${remedy}`,
  )
}
