import { each, must, type Requirement, section, should, unspecified } from '../requirement.ts'

const hidden = {
  interpretation:
    'The response must contain no data of the other user and create nothing; the specification does not define its status.',
}

/** Requirements of the authorization handler: its arguments and the effect of its filter. */
export const authScopeRequirements: readonly Requirement[] = section(
  'deployment',
  'Authentication / Deployment API',
  [
    must('auth.authz.context-user', 'The authorization handler receives the authenticated user.', {
      interpretation:
        "Tested with a handler that stores the user's identity as the owner of everything the user creates.",
    }),
    must(
      'auth.authz.thread-metadata',
      'A created thread keeps the metadata that the authorization handler wrote into the payload.',
    ),
    must(
      'auth.authz.assistant-metadata',
      'A created assistant keeps the metadata that the authorization handler wrote into the payload.',
    ),
    should(
      'auth.authz.run-metadata',
      'A created run keeps the metadata that the authorization handler wrote into the payload.',
      { interpretation: 'A run belongs to a thread that already has the owner, so this is a SHOULD.' },
    ),
    ...each(must, {
      'auth.scope.own-state': "With a filter on the user's identity, a user can read the state of their own thread.",
      'auth.scope.own-runs': "With a filter on the user's identity, a user can read the runs of their own thread.",
      'auth.scope.own-assistant': "With a filter on the user's identity, a user can read their own assistant.",
      'auth.scope.own-assistant-found':
        "With a filter on the user's identity, an assistant search returns the user's own assistant.",
    }),
    must('auth.scope.state', "The server hides the state of one user's thread from another user.", hidden),
    must('auth.scope.run-list', "The server hides the runs of one user's thread from another user.", hidden),
    must('auth.scope.run-get', "The server hides a run on one user's thread from another user.", hidden),
    must(
      'auth.scope.run-join',
      "The server reveals nothing about a run on one user's thread when another user joins it.",
      hidden,
    ),
    must('auth.scope.run-create', "Another user cannot create a run on one user's thread.", hidden),
    must('auth.scope.run-stream', "Another user cannot stream a run on one user's thread.", hidden),
    must('auth.scope.thread-list', 'GET /threads returns no threads of other users.', {
      interpretation:
        'The specification does not define the response: tested if it shows the ids of threads, in any form.',
    }),
    ...each(
      must,
      {
        'auth.scope.assistant-get': "The server hides one user's assistant from another user.",
        'auth.scope.assistant-search': "An assistant search by another user does not return one user's assistant.",
        'auth.scope.both-ways': "The server also hides the second user's thread and assistant from the first user.",
        'auth.scope.side-by-side': 'When two users send requests concurrently, each receives only their own thread.',
      },
      hidden,
    ),
    unspecified('auth.scope.foreign-assistant', "What the server returns when a user runs another user's assistant."),
    unspecified('auth.scope.hidden-status', "Which status the server returns for another user's thread."),
  ],
  { profile: 'custom-auth' },
)

const studio = 'Tested if the configuration names a user of the visual development UI.'

const studioRights = {
  state: "read the state of any user's thread",
  'run-list': "list the runs of any user's thread",
  'run-get': "read a run on any user's thread",
  'run-join': "join a run on any user's thread",
  'run-create': "create a run on any user's thread",
  'run-stream': "stream a run on any user's thread",
  'assistant-get': "read any user's assistant",
}

/** Requirements for users of the visual development UI. */
export const authStudioRequirements: readonly Requirement[] = [
  ...section(
    'deployment',
    'Authentication / Deployment API',
    [
      ...Object.entries(studioRights).map(([key, right]) =>
        must(`auth.studio.${key}`, `With an empty filter, a user of the development UI can ${right}.`),
      ),
      must(
        'auth.studio.assistant-search',
        "With an empty filter, an assistant search by a user of the development UI returns any user's assistant.",
      ),
      unspecified('auth.studio.user', 'Which user the graph sees in a run of a development UI user.'),
    ],
    { profile: 'custom-auth', interpretation: studio },
  ),
  ...section('deployment', 'Authentication / Deployment API', [
    must(
      'auth.studio.same-handlers',
      'The same handlers authorize users of the development UI unless a handler makes an exception for them.',
      {
        excluded:
          'The handler of the test graphs makes an exception for them; testing this would need a second deployment with another handler.',
      },
    ),
    must('auth.studio.intended-use', 'Unrestricted access is intended only for developers of a managed deployment.', {
      excluded: 'This describes an intention, not a behavior.',
    }),
  ]),
]
