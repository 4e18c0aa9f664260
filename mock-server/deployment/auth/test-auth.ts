import type { AuthContext, AuthFilter, AuthHandlers, AuthUser } from './handlers.ts'

const USERS: ReadonlyMap<string, AuthUser> = new Map<string, AuthUser>([
  [
    'Bearer touchstone-alice',
    {
      identity: 'alice',
      role: 'author',
      org_id: 'org-1',
      profile: { teams: ['docs', 'tests'], quota: { runs: 2 } },
      permissions: [],
    },
  ],
  [
    'Bearer touchstone-bob',
    { identity: 'bob', role: 'reader', org_id: 'org-2', profile: { teams: [], quota: { runs: 1 } }, permissions: [] },
  ],
])

/** Custom authentication: two users by bearer token, each of whom sees only their own resources. */
export const testGraphsAuth: AuthHandlers = {
  authenticate: (request) => {
    const user = USERS.get(request.headers.get('authorization') ?? '')
    if (user === undefined) throw Object.assign(new Error('touchstone-kit: no valid token'), { status: 401 })
    return { ...user, header_names: [...request.headers.keys()] }
  },
  callbacks: { '*': ownResources },
}

function ownResources({ user, action, value }: AuthContext): AuthFilter {
  if (user['kind'] === 'StudioUser') return {}
  const owner = { owner: user.identity }
  if (action.startsWith('create')) {
    const metadata = value['metadata']
    value['metadata'] = { ...(typeof metadata === 'object' ? metadata : {}), ...owner }
  }
  return owner
}
