import { must, type Requirement, section } from '../requirement.ts'

/** An endpoint of the deployment API, as the table of the document has it. */
export interface GuardedEndpoint {
  /** Part of the ids of its rows. */
  readonly key: string
  readonly method: 'GET' | 'POST'
  /** Path template, `/threads/{thread_id}/runs`. */
  readonly path: string
}

/** All endpoints of the deployment API: custom authentication guards each. */
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

const rows = guardedEndpoints.flatMap(({ key, method, path }) => [
  must(
    `auth.refused.${key}.missing-credentials`,
    `${method} ${path} is answered 401 where the handler finds no credentials.`,
  ),
  must(
    `auth.refused.${key}.wrong-credentials`,
    `${method} ${path} is answered 401 where the handler finds the credentials invalid.`,
  ),
])

/** What the authentication handler's refusal means for each endpoint. */
export const authRefusalRequirements: readonly Requirement[] = section(
  'deployment',
  'Authentication / Deployment API',
  [
    ...rows,
    must('auth.refused.creates-no-run', 'A run whose creation the handler refuses with 401 is not created.', {
      interpretation: 'A rejected request has no effect.',
    }),
    must('auth.refused.streams-no-run', 'A streamed run that the handler refuses with 401 is not created.', {
      interpretation: 'A rejected request has no effect.',
    }),
  ],
  { profile: 'custom-auth' },
)
