import type { Scenario } from '../scenario.ts'
import { authNoneScenarios } from './auth-none.ts'
import { authRefusalScenarios } from './auth-refusal.ts'
import { authScopeScenarios } from './auth-scope.ts'
import { authUserScenarios } from './auth-user.ts'

export const authScenarios: readonly Scenario[] = [
  ...authNoneScenarios,
  ...authUserScenarios,
  ...authRefusalScenarios,
  ...authScopeScenarios,
]
