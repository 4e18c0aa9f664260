import type { TargetEndpoint, TargetUser } from '../suites/harness/manifest.ts'

/** Returns an endpoint with the authentication handler of the test graphs and its users. */
export function testAuthEndpoint(url: string): TargetEndpoint {
  return {
    url,
    users: {
      alice: testUser('alice', {
        role: 'author',
        org_id: 'org-1',
        profile: { teams: ['docs', 'tests'], quota: { runs: 2 } },
      }),
      bob: testUser('bob', { role: 'reader', org_id: 'org-2', profile: { teams: [], quota: { runs: 1 } } }),
      studio: { headers: { 'x-auth-scheme': 'langsmith' } },
    },
    // Begins like the token of alice, as a server may compare only the first characters.
    invalid: { headers: { authorization: 'Bearer touchstone-alicia' } },
    refusalDetail: 'touchstone-kit: no valid token',
  }
}

function testUser(identity: string, fields: Readonly<Record<string, unknown>>): TargetUser {
  return { headers: { authorization: `Bearer touchstone-${identity}` }, identity, fields }
}
