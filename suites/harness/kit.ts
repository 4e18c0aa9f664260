import type { KitGraph, TargetEndpoint, TargetUser } from './manifest.ts'

/** Revision of the graph kit that the checks are written for. */
export const kitRevision = '1'

/** The graphs of the kit. */
export const kitGraphs: readonly KitGraph[] = ['echo', 'slow', 'tools', 'fail', 'whoami', 'chat']

/** An endpoint guarded by the kit's authentication handler, with its two users. */
export function kitAuthEndpoint(url: string): TargetEndpoint {
  return {
    url,
    users: {
      alice: kitUser('alice', { role: 'author', org_id: 'org-1' }),
      bob: kitUser('bob', { role: 'reader', org_id: 'org-2' }),
      studio: { headers: { 'x-auth-scheme': 'langsmith' } },
    },
    invalid: { headers: { authorization: 'Bearer of-no-user' } },
    refusalDetail: 'touchstone-kit: no valid token',
  }
}

function kitUser(identity: string, fields: Readonly<Record<string, unknown>>): TargetUser {
  return { headers: { authorization: `Bearer touchstone-${identity}` }, identity, fields }
}
