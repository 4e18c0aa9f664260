import type { Check } from '../harness/check.ts'
import { authNoneChecks } from './auth-none.ts'
import { authRefusalChecks } from './auth-refusal.ts'
import { authScopeChecks } from './auth-scope.ts'
import { authUserChecks } from './auth-user.ts'

export const authChecks: readonly Check[] = [
  ...authNoneChecks,
  ...authUserChecks,
  ...authRefusalChecks,
  ...authScopeChecks,
]
