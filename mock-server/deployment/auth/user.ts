import type { AuthUser } from './types.ts'

/** The user of the visual development UI, as public servers present it. */
export const STUDIO_USER: AuthUser = {
  kind: 'StudioUser',
  identity: 'langgraph-studio-user',
  display_name: 'langgraph-studio-user',
  is_authenticated: true,
  permissions: [],
}

/** Converts the result of an authentication handler to a user; undefined without an identity. */
export function toUser(answer: unknown): AuthUser | undefined {
  const given: unknown = typeof answer === 'string' ? { identity: answer } : answer
  if (typeof given !== 'object' || given === null || !('identity' in given)) return undefined
  const { identity } = given
  if (typeof identity !== 'string' || identity === '') return undefined
  return { display_name: identity, is_authenticated: true, permissions: [], ...given, identity }
}
