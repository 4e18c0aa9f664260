import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Deployment } from './deployment.ts'
import type { ApiRequest, ApiResponse } from './http.ts'
import type { Session } from './session.ts'

/** Sender of a request: a user in the configuration, or `nobody`, without the headers of a user. */
export type UserName = 'alice' | 'bob' | 'studio' | 'invalid' | 'nobody'

/** Context of scenarios of both areas. */
export interface CommonContext<Id extends RequirementId = RequirementId> {
  readonly session: Session
  /** Runs a part of a scenario. An error in it is reported for this requirement only. */
  attempt(requirement: Id, part: () => Promise<void>): Promise<void>
  /** Reports the behavior of the target for an UNSPECIFIED or MAY requirement. */
  observe(requirement: Id, observation: string): void
}

/** Context of the scenarios of the deployment API. */
export interface DeploymentContext<Id extends RequirementId = RequirementId> extends CommonContext<Id> {
  /** Client of the deployment API as the usual user of the endpoint: `alice` with custom authentication. */
  readonly deployment: Deployment
  /**
   * Returns the client of the deployment API as another user.
   *
   * @throws Inconclusive if the configuration does not have this user
   */
  as(user: UserName): Deployment
  /**
   * Sends a valid request, then the same request with one fault, and returns the second response. The sender is the usual
   * user by default.
   *
   * @throws Inconclusive if the valid request is refused
   */
  negative(control: ApiRequest, fault: Partial<ApiRequest>, user?: UserName): Promise<ApiResponse>
}

/** The parts of a context that send requests as one user. */
export type RunContext = Pick<DeploymentContext, 'deployment' | 'session'>
