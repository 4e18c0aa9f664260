import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

const leak =
  'Hidden means that the answer holds nothing of the other user and that nothing is created, with whatever status.'

/** What the authorization handler is given and what its filter restricts. */
export const authScopeRequirements: readonly Requirement[] = section(
  'deployment',
  'Authentication / Deployment API',
  [
    must(
      'auth.authz.context-user',
      'The authorization handler is given the authenticated user: what each user creates gets an owner of their identity.',
    ),
    must(
      'auth.authz.thread-metadata',
      'What the authorization handler writes into the metadata of the payload is kept on a created thread.',
    ),
    must(
      'auth.authz.assistant-metadata',
      'What the authorization handler writes into the metadata of the payload is kept on a created assistant.',
    ),
    should(
      'auth.authz.run-metadata',
      'What the authorization handler writes into the metadata of the payload is kept on a created run.',
      { interpretation: 'A run lives on a thread that carries the owner already: advised.' },
    ),
    must('auth.scope.own-state', "A filter that holds the user's identity leaves the state of the user's own thread."),
    must('auth.scope.own-runs', "A filter that holds the user's identity leaves the runs of the user's own thread."),
    must('auth.scope.own-assistant', "A filter that holds the user's identity leaves the user's own assistant."),
    must(
      'auth.scope.own-assistant-found',
      "A filter that holds the user's identity leaves the user's own assistant in a search.",
    ),
    must('auth.scope.state', "The state of one user's thread is hidden from another user.", { interpretation: leak }),
    must('auth.scope.run-list', "The runs of one user's thread are hidden from another user.", {
      interpretation: leak,
    }),
    must('auth.scope.run-get', "A run on one user's thread is hidden from another user.", { interpretation: leak }),
    must('auth.scope.run-join', "A join by another user tells nothing of a run on one user's thread.", {
      interpretation: leak,
    }),
    must('auth.scope.run-create', "Another user cannot create a run on one user's thread.", { interpretation: leak }),
    must('auth.scope.run-stream', "Another user cannot stream a run on one user's thread.", { interpretation: leak }),
    must('auth.scope.thread-list', "GET /threads lists no thread of another user's.", {
      interpretation: 'The shape of the answer is left open: judged only where it is a list of threads.',
    }),
    must('auth.scope.assistant-get', "One user's assistant is hidden from another user.", { interpretation: leak }),
    must('auth.scope.assistant-search', "A search by another user does not find one user's assistant.", {
      interpretation: leak,
    }),
    must('auth.scope.both-ways', "The second user's thread is hidden from the first user as well.", {
      interpretation: leak,
    }),
    must('auth.scope.side-by-side', 'With requests of two users side by side each is given their own thread only.', {
      interpretation: leak,
    }),
    unspecified('auth.scope.foreign-assistant', "What a run by another user of one user's assistant is answered."),
    unspecified('auth.scope.hidden-status', "Which status hides one user's thread from another user."),
  ],
  { profile: 'custom-auth' },
)

const studio = 'Applies where the configuration names a user of the visual development UI.'

/** Users of the visual development UI. */
export const authStudioRequirements: readonly Requirement[] = [
  ...section(
    'deployment',
    'Authentication / Deployment API',
    [
      must('auth.studio.state', "An empty filter gives a user of the development UI the state of any user's thread."),
      must('auth.studio.run-list', "An empty filter gives a user of the development UI the runs of any user's thread."),
      must('auth.studio.run-get', "An empty filter gives a user of the development UI a run on any user's thread."),
      must('auth.studio.run-create', "An empty filter lets a user of the development UI run on any user's thread."),
      must('auth.studio.assistant-get', "An empty filter gives a user of the development UI any user's assistant."),
      must(
        'auth.studio.assistant-search',
        "An empty filter lets a user of the development UI find any user's assistant.",
      ),
      unspecified('auth.studio.user', 'As which user a user of the development UI reaches the graph.'),
    ],
    { profile: 'custom-auth', interpretation: studio },
  ),
  ...section('deployment', 'Authentication / Deployment API', [
    must(
      'auth.studio.same-handlers',
      'Users of the development UI are authorized by the same handlers as everybody unless a handler checks for them.',
      {
        excluded:
          'the handler of the test graphs checks for them; one that does not would have to be deployed in addition',
      },
    ),
    must('auth.studio.intended-use', 'Unrestricted access is meant for developers of a managed deployment only.', {
      excluded: 'an intention is no behaviour',
    }),
  ]),
]
