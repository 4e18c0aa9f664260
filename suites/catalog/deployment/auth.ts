import { each, may, must, type Requirement, section, unspecified } from '../requirement.ts'
import { authRefusalRequirements } from './auth-refusal.ts'
import { authScopeRequirements, authStudioRequirements } from './auth-scope.ts'

const name = 'Authentication / Deployment API'

const withoutHandler = section(
  'deployment',
  name,
  [
    ...each(must, {
      'auth.none.threads': "Without a custom authentication handler, an end user can read another end user's thread.",
      'auth.none.runs': "Without a custom authentication handler, an end user can read another end user's runs.",
      'auth.none.run-get': 'Without a custom authentication handler, an end user can read a run of another end user.',
      'auth.none.run-join': 'Without a custom authentication handler, an end user can join a run of another end user.',
      'auth.none.run-stream':
        "Without a custom authentication handler, an end user can stream a run on another end user's thread.",
      'auth.none.run-create':
        "Without a custom authentication handler, an end user can create a run on another end user's thread.",
      'auth.none.assistants':
        "Without a custom authentication handler, an end user can read another end user's assistant.",
      'auth.none.assistant-search':
        'Without a custom authentication handler, an assistant search also returns the assistants of other end users.',
    }),
  ],
  {
    profile: 'open',
    interpretation:
      'The checks identify end users by a bearer token if the server accepts unknown tokens, otherwise by a custom header.',
  },
)

const readAtDeployment = 'The server reads the configuration file at deployment; no response shows it.'

const configuration = section(
  'deployment',
  name,
  [
    must('auth.config.enabled', 'The `auth` key of the configuration file enables custom authentication.'),
    must('auth.config.json', 'The deployment configuration file is JSON.'),
    must('auth.config.dependencies', '`dependencies` in the configuration file is an array.'),
    must('auth.config.graphs', '`graphs` in the configuration file is an object with one key for each graph name.'),
    must(
      'auth.config.graphs-value',
      'Each value of `graphs` in the configuration file names a module path and a variable.',
    ),
    must('auth.config.env', '`env` in the configuration file is a path.'),
    must('auth.config.auth', '`auth` in the configuration file is an object.'),
    must('auth.config.auth-path', '`auth` in the configuration file has a `path` to the handler.'),
  ],
  { excluded: readAtDeployment },
)

const testHandler = {
  interpretation: 'Tested with the handler of the test graphs, which returns the header names, and the `whoami` graph.',
}

const handler = section(
  'deployment',
  name,
  [
    must('auth.handler.receives-headers', 'The authentication handler receives the request headers.', testHandler),
    must('auth.handler.lower-cased', 'The authentication handler receives header names in lower case.', testHandler),
    must(
      'auth.user.placed',
      "The graph's configuration contains the object that the authentication handler returned.",
      {
        interpretation:
          'The key is `graph_auth_user`, or a public name that ends in it, such as `langgraph_auth_user`.',
      },
    ),
    must(
      'auth.user.identity',
      "The user object in the graph's configuration contains the `identity` that the handler returned.",
    ),
    must('auth.user.custom-fields', 'Nodes can read the custom fields that the handler returned.', {
      interpretation: 'The user object may contain additional fields.',
    }),
    must('auth.user.streamed-run', "The graph's configuration of a streamed run also contains the authenticated user."),
    must('auth.user.second-user', "The graph's configuration of the second user's run contains the second user."),
    must(
      'auth.user.side-by-side',
      "When two users' runs execute concurrently, each graph's configuration contains its own user.",
    ),
    unspecified('auth.user.run-record', 'Under which key the run shows the authenticated user.'),
    unspecified('auth.user.user-id', 'Which `user_id` the configuration of a run contains with custom authentication.'),
    must('auth.bearer.accepted', 'The server reads bearer tokens from the `Authorization: Bearer <token>` header.', {
      interpretation: 'Tested if the users in the configuration send bearer tokens.',
    }),
    unspecified('auth.token-rules', 'Which format tokens have and how the server validates them.'),
  ],
  { profile: 'custom-auth' },
)

const notTestable = section('deployment', name, [
  must(
    'auth.none.attribution',
    'Without a custom authentication handler, requests are attributed to the owner of the API key.',
    {
      excluded: 'No response of the deployment API shows the owner of a key.',
    },
  ),
  unspecified(
    'auth.default-credential-header',
    'Which header carries the credentials if no custom handler is deployed.',
    {
      profile: 'open',
    },
  ),
  must(
    'auth.handler.identity-required',
    'The object that the authentication handler returns has at least `identity`.',
    {
      excluded: "This is a duty of the handler's author; the handler of the test graphs always returns it.",
    },
  ),
  may('auth.handler.field-examples', 'Custom fields can be tokens, roles or organization ids.', {
    excluded:
      'These are examples of what a handler may return; auth.user.custom-fields tests custom fields of any name.',
  }),
  must(
    'auth.secrets.not-in-state',
    'Graphs fetch secrets from a secret store instead of keeping them in graph state.',
    {
      excluded: 'This is advice for graph authors; the test graphs keep no secrets.',
    },
  ),
])

export const authRequirements: readonly Requirement[] = [
  ...withoutHandler,
  ...configuration,
  ...handler,
  ...authRefusalRequirements,
  ...authScopeRequirements,
  ...authStudioRequirements,
  ...notTestable,
]
