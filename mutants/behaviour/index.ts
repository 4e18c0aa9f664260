import type { Mutant } from '../mutant.ts'
import { authNoneMutants } from './auth-none.ts'
import { authRefusalMutants } from './auth-refusal.ts'
import { authScopeMutants } from './auth-scope.ts'
import { authUserMutants } from './auth-user.ts'
import { threadMutants } from './thread.ts'

/** The mutants written by hand, by topic. */
export const behaviourMutants: readonly Mutant[] = [
  ...threadMutants,
  ...authNoneMutants,
  ...authRefusalMutants,
  ...authScopeMutants,
  ...authUserMutants,
]
