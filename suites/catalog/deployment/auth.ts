import { may, must, type Requirement, section, unspecified } from '../requirement.ts'
import { authRefusalRequirements } from './auth-refusal.ts'
import { authScopeRequirements, authStudioRequirements } from './auth-scope.ts'

const name = 'Authentication / Deployment API'

const withoutHandler = section(
  'deployment',
  name,
  [
    must('auth.none.threads', 'Without a custom handler the thread of one end user is there for another end user.'),
    must('auth.none.runs', 'Without a custom handler the runs of one end user are there for another end user.'),
    must('auth.none.run-create', "Without a custom handler an end user can run on another end user's thread."),
    must(
      'auth.none.assistants',
      'Without a custom handler the assistant of one end user is there for another end user.',
    ),
    must(
      'auth.none.assistant-search',
      'Without a custom handler a search finds the assistants of other end users as well.',
    ),
  ],
  {
    profile: 'open',
    interpretation:
      'End users are told apart by a bearer token where the target lets one pass that it does not know, else by a header of their own.',
  },
)

const readAtDeployment = 'the configuration file is read when a deployment is made; no answer shows it'

const configuration = section(
  'deployment',
  name,
  [
    must('auth.config.enabled', 'The `auth` key of the configuration file enables custom authentication.'),
    must('auth.config.json', 'The deployment configuration file is JSON.'),
    must('auth.config.dependencies', '`dependencies` of the configuration file is an array.'),
    must('auth.config.graphs', '`graphs` of the configuration file is an object with a key for every graph name.'),
    must(
      'auth.config.graphs-value',
      '`graphs` of the configuration file names a module path and a variable for a graph.',
    ),
    must('auth.config.env', '`env` of the configuration file is a path.'),
    must('auth.config.auth', '`auth` of the configuration file is an object.'),
    must('auth.config.auth-path', '`auth` of the configuration file has a `path` that points at the handler.'),
  ],
  { excluded: readAtDeployment },
)

const testHandler = 'Seen through the handler of the test graphs, which returns the header names, and the graph whoami.'

const handler = section(
  'deployment',
  name,
  [
    must('auth.handler.receives-headers', 'The authentication handler receives the headers of the request.', {
      interpretation: testHandler,
    }),
    must('auth.handler.lower-cased', 'The authentication handler receives the header names lower-cased.', {
      interpretation: testHandler,
    }),
    must(
      'auth.user.placed',
      "The object that the authentication handler returned stands in the graph's configuration.",
      {
        interpretation: 'Under `graph_auth_user`, or the public name that ends in it.',
      },
    ),
    must(
      'auth.user.identity',
      "The object in the graph's configuration holds the `identity` that the handler returned.",
    ),
    must('auth.user.custom-fields', 'Nodes can read the custom fields that the handler returned.', {
      interpretation: 'The object holds at least what the handler returned; more is allowed.',
    }),
    must('auth.user.streamed-run', "A streamed run has the authenticated user in its graph's configuration as well."),
    must('auth.user.second-user', "The second user's run has the second user in its graph's configuration."),
    must('auth.user.side-by-side', 'With runs of two users side by side each has its own user in its configuration.'),
    unspecified('auth.user.run-record', 'Under which key the run record shows the authenticated user.'),
    unspecified('auth.user.user-id', 'Which `user_id` the configuration of a run has with custom authentication.'),
    must('auth.bearer.accepted', 'With bearer tokens the credentials are taken from `Authorization: Bearer <token>`.', {
      interpretation: 'Applies where the users of the configuration send bearer tokens.',
    }),
    unspecified('auth.token-rules', 'Which format tokens have and how they are validated.'),
  ],
  { profile: 'custom-auth' },
)

const notSeen = section('deployment', name, [
  must('auth.none.attribution', 'Without a custom handler requests are attributed to the owner of the API key.', {
    excluded: 'no answer of the deployment API names the owner of a key',
  }),
  unspecified(
    'auth.default-credential-header',
    'Which header carries the credentials where no custom handler is deployed.',
    {
      profile: 'open',
    },
  ),
  must(
    'auth.handler.identity-required',
    'The object that the authentication handler returns has at least `identity`.',
    {
      excluded: 'a duty of the author of the handler; the handler of the test graphs always returns it',
    },
  ),
  may('auth.handler.field-examples', 'Custom fields are for example tokens, roles and organization ids.', {
    excluded: 'examples of what a handler may return; any custom field is judged by auth.user.custom-fields',
  }),
  must('auth.secrets.not-in-state', 'Secrets are fetched from a secret store, not kept in graph state.', {
    excluded: 'advice for authors of graphs; the test graphs keep no secrets',
  }),
])

export const authRequirements: readonly Requirement[] = [
  ...withoutHandler,
  ...configuration,
  ...handler,
  ...authRefusalRequirements,
  ...authScopeRequirements,
  ...authStudioRequirements,
  ...notSeen,
]
