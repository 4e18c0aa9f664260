import type { Check } from '../harness/check.ts'
import { authMetadataChecks } from './auth-metadata.ts'
import { authNoneChecks } from './auth-none.ts'
import { authRefusalChecks } from './auth-refusal.ts'
import { authScopeChecks } from './auth-scope.ts'
import { authStudioChecks } from './auth-studio.ts'
import { authUserChecks } from './auth-user.ts'

export const authChecks: readonly Check[] = [
  ...authNoneChecks,
  ...authUserChecks,
  ...authRefusalChecks,
  ...authScopeChecks,
  ...authMetadataChecks,
  ...authStudioChecks,
]
