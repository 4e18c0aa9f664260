import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Deployment } from './deployment.ts'
import type { ApiRequest, ApiResponse } from './http.ts'
import type { Session } from './session.ts'

/** Who sends a request: a user of the manifest, or nobody (no user's headers). */
export type UserName = 'alice' | 'bob' | 'studio' | 'invalid' | 'nobody'

/** What a scenario of either area is given. */
export interface CommonContext<Id extends RequirementId = RequirementId> {
  readonly session: Session
  /** Runs a part of the scenario; what stops it is reported for one requirement only. */
  attempt(requirement: Id, part: () => Promise<void>): Promise<void>
  /** Notes what the target does on an UNSPECIFIED or MAY requirement. */
  observe(requirement: Id, what: string): void
}

/** What a scenario of the deployment API is given. */
export interface DeploymentContext<Id extends RequirementId = RequirementId> extends CommonContext<Id> {
  /** The deployment API as the endpoint's usual user (alice where custom authentication is on). */
  readonly deployment: Deployment
  /** The deployment API as another user; throws Inconclusive where the manifest has none. */
  as(user: UserName): Deployment
  /**
   * Sends a valid request, then the same one with one fault, and returns the second response.
   * Where the valid one is refused the scenario cannot run.
   */
  negative(
    control: ApiRequest,
    fault: Partial<ApiRequest>,
    as?: { control?: UserName; fault?: UserName },
  ): Promise<ApiResponse>
}
