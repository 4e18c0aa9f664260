import { must, type Requirement, section } from '../requirement.ts'

/** Endpoint of the deployment API. */
export interface GuardedEndpoint {
  /** Part of the ids of its requirements. */
  readonly key: string
  readonly method: 'GET' | 'POST'
  /** Path template, `/threads/{thread_id}/runs`. */
  readonly path: string
}

/** All endpoints of the deployment API. Custom authentication guards each of them. */
export const guardedEndpoints: readonly GuardedEndpoint[] = [
  { key: 'thread-create', method: 'POST', path: '/threads' },
  { key: 'thread-list', method: 'GET', path: '/threads' },
  { key: 'run-list', method: 'GET', path: '/threads/{thread_id}/runs' },
  { key: 'run-create', method: 'POST', path: '/threads/{thread_id}/runs' },
  { key: 'run-get', method: 'GET', path: '/threads/{thread_id}/runs/{run_id}' },
  { key: 'run-join', method: 'GET', path: '/threads/{thread_id}/runs/{run_id}/join' },
  { key: 'state-get', method: 'GET', path: '/threads/{thread_id}/state' },
  { key: 'run-stream', method: 'POST', path: '/threads/{thread_id}/runs/stream' },
  { key: 'assistant-create', method: 'POST', path: '/assistants' },
  { key: 'assistant-search', method: 'POST', path: '/assistants/search' },
  { key: 'assistant-get', method: 'GET', path: '/assistants/{assistant_id}' },
]

const perEndpoint = guardedEndpoints.flatMap(({ key, method, path }) => [
  must(`auth.refused.${key}.missing-credentials`, `${method} ${path} returns 401 if the handler finds no credentials.`),
  must(
    `auth.refused.${key}.wrong-credentials`,
    `${method} ${path} returns 401 if the handler finds the credentials invalid.`,
  ),
])
const noEffect = { interpretation: 'A rejected request has no effect.' }

/** Requirements for requests that the authentication handler rejects. */
export const authRefusalRequirements: readonly Requirement[] = section(
  'deployment',
  'Authentication / Deployment API',
  [
    ...perEndpoint,
    must(
      'auth.refused.creates-no-run',
      'The server creates no run if the handler rejects the request with 401.',
      noEffect,
    ),
    must(
      'auth.refused.streams-no-run',
      'The server creates no streamed run if the handler rejects the request with 401.',
      noEffect,
    ),
  ],
  { profile: 'custom-auth' },
)
