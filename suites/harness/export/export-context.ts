import type { RequirementId } from '../../catalog/generated/ids.ts'
import { unknownKey } from '../../trace/redact.ts'
import type { ScenarioTrace } from '../../trace/trace.ts'
import type { CommonContext } from '../context.ts'
import { faultOf, sendControl } from '../control-request.ts'
import { Inconclusive, ignoreLoss } from '../errors.ts'
import { type ApiRequest, type ApiResponse, createHttp } from '../http.ts'
import type { ExportDeclaration } from '../manifest.ts'
import type { Session } from '../session.ts'
import { type BucketClient, bucketClient } from './bucket-client.ts'
import { driverOf, type SessionDriver } from './driver.ts'
import { createExports, type Exports } from './exports.ts'
import type { CallerName } from './leftovers.ts'

/** Context of the scenarios of the bulk export API. */
export interface ExportContext<Id extends RequirementId = RequirementId> extends CommonContext<Id> {
  /** Client of the bulk export API as the usual caller. */
  readonly exports: Exports
  /**
   * Returns the client of the bulk export API as another caller.
   *
   * @throws Inconclusive if the configuration does not have this caller
   */
  as(caller: CallerName): Exports
  /**
   * Client of the store that exports are written to.
   *
   * @throws Inconclusive if no store was opened
   */
  readonly bucket: BucketClient
  readonly driver: SessionDriver
  readonly declared: ExportDeclaration
  /**
   * Sends a valid request, then the same request with each fault. Returns the response to the valid request. Requests with
   * a fault that get no response are ignored.
   *
   * @throws Inconclusive if the valid request is refused
   */
  faults(control: ApiRequest, faults: Faults): Promise<ApiResponse>
}

/** Changes of a valid request, each of which makes it invalid, by the requirement that the target refuses the changed request. */
type Faults = Readonly<Partial<Record<RequirementId, Partial<ApiRequest> | readonly Partial<ApiRequest>[]>>>

/** Creates the context of a scenario on an endpoint of the bulk export API. */
export function exportContext(common: CommonContext, trace: ScenarioTrace): ExportContext {
  const { session } = common
  const { endpoint, endpointName } = session
  const declared = endpoint.export
  if (declared === undefined) throw new Error(`expected "${endpointName}" to be an endpoint of the bulk export API`)
  const as = (caller: CallerName): Exports => exportsOf(session, caller, trace)
  const exports = as('usual')
  return {
    ...common,
    exports,
    as,
    get bucket() {
      return bucketClient(session, trace)
    },
    driver: driverOf(session, trace),
    declared,
    async faults(control, faults) {
      const accepted = await sendControl(exports.http, control)
      const each = Object.entries(faults).flatMap(([id, fault]) =>
        [fault].flat().map((change) => [id, change] as const),
      )
      for (const [requirement, fault] of each) {
        const request = { ...control, ...fault, ...faultOf(accepted), requirement: requirement as RequirementId }
        await exports.http.send(request).catch(ignoreLoss)
      }
      return accepted
    },
  }
}

/**
 * Creates a client of the bulk export API as one caller.
 *
 * @throws Inconclusive if the configuration does not have this caller
 */
export function exportsOf(session: Session, caller: CallerName, trace?: ScenarioTrace): Exports {
  const { endpoint } = session
  // The specification names this header for all requests, also for those without a body.
  const common = { 'content-type': 'application/json', ...endpoint.headers }
  const headers = { ...common, ...callerHeaders(session, caller) }
  const timeoutMs = () => session.budgets.waitMs * 3
  const http = createHttp({ session, headers, trace, user: caller, timeoutMs })
  return createExports(http, session, caller)
}

function callerHeaders({ endpoint, endpointName }: Session, caller: CallerName): Readonly<Record<string, string>> {
  if (caller === 'usual') return {}
  if (caller === 'invalid') return { 'x-api-key': unknownKey() }
  const name = caller === 'other' ? 'other' : 'lowerPlan'
  const declared = endpoint.export?.[name]
  if (declared) return declared.headers
  const key = `endpoints.${endpointName}.export.${name}`
  throw new Inconclusive(`the configuration has no ${key}`, `set ${key} in the configuration`)
}
