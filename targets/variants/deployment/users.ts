import type { Wrap } from '../../wrappers/fetch.ts'
import type { Fields } from '../../wrappers/requests.ts'
import { objects, replace, responses } from '../../wrappers/responses.ts'
import { type Choice, choicesOf } from '../choice.ts'

/** Custom authentication. */
export const userChoices: readonly Choice[] = choicesOf('deployment', {
  'auth.user-key': {
    description: 'The key of the user in the configuration of a run.',
    legal: 'Authentication: under the specified key or the public one that ends in it, with further fields (ruling 13)',
    values: {
      specified: { wrap: objects((object) => userAs(object, ({ user }) => ({ graph_auth_user: user }))) },
      public: {
        wrap: objects((object) =>
          userAs(object, ({ user }) => ({ langgraph_auth_user: { ...Object(user), kind: 'person' } })),
        ),
      },
      hidden: { wrap: objects((object) => userAs(object, () => ({}))) },
    },
  },
  'auth.hidden-status': {
    description: 'The status of a resource of another user.',
    legal: 'auth.scope.hidden-status: not shown',
    values: {
      forbidden: { wrap: notFoundAs(403) },
      gone: { wrap: notFoundAs(410) },
      'with-success': { wrap: notFoundAs(200) },
    },
  },
  'auth.refusal-headers': {
    description: 'Headers of a refusal by the authentication handler.',
    legal: 'errors.unauthenticated.body-shape: only the status and the detail message are shown',
    values: {
      challenge: {
        wrap: responses((response) =>
          response.status === 401
            ? replace(response, { headers: { 'www-authenticate': 'Bearer realm="x"' } })
            : response,
        ),
      },
    },
  },
})

/** Changes how a user is shown in the records of runs. */
function userAs(object: Fields, show: (all: { user: unknown }) => Fields): Record<string, unknown> {
  const { graph_auth_user: own, langgraph_auth_user: user = own, ...others } = object
  return user === undefined ? { ...object } : { ...others, ...show({ user }) }
}

function notFoundAs(status: number): Wrap {
  return responses((response, { headers }) =>
    response.status === 404 && headers.has('authorization') ? replace(response, { status }) : response,
  )
}
