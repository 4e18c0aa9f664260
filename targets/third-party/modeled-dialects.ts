import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import type { ThirdPartyServer } from './servers.ts'

/** A dialect of the mock server and the third-party server that it imitates. */
export interface ModeledDialect {
  readonly dialect: DialectName
  readonly server: ThirdPartyServer['name']
  /** Why the dialect differs from the server, by the id of the requirement. */
  readonly differences: Readonly<Partial<Record<RequirementId, string>>>
}

const sharedDifferences = {
  'thread.list.shape': 'the specification has this endpoint; the third-party server does not',
  'thread.list.filters': 'the specification has this endpoint; the third-party server does not',
  'auth.user.run-record':
    'the mock server shows the user twice: as `graph_auth_user` (specification) and as `langgraph_auth_user` (public servers)',
  'run.kwargs.feedback_keys.other-forms':
    'the third-party servers accept feedback keys, but send URLs for them only with LangSmith; the mock server refuses them',
} as const

/** The dialects that imitate third-party servers, with their deliberate differences. */
export const modeledDialects: readonly ModeledDialect[] = [
  {
    dialect: 'agent-server',
    server: 'langgraph-py',
    differences: {
      ...sharedDifferences,
      'multitask.default.on-busy-thread':
        'the default of the specification is `reject`; that of the third-party server is `enqueue`',
      'auth.studio.user':
        'the third-party server distinguishes this user only by a Python class, which JSON does not contain',
      'errors.malformed-id.thread.run-stream':
        'this is the only endpoint with a different status; imitating it would help nobody',
    },
  },
  {
    dialect: 'js-dev',
    server: 'langgraph-js',
    differences: {
      ...sharedDifferences,
      'run.kwargs.webhook.other-forms':
        'the third-party server accepts any text; the mock server refuses a webhook that it would not deliver',
      'state.metadata.user_id.value':
        'the specification shows this key; the third-party server omits it without custom authentication',
      'stream.join.running':
        'the third-party server sends each event to one of two readers at random; the mock server sends it to both',
    },
  },
]
