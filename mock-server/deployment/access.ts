import { ApiError } from '../http/errors.ts'
import type { JsonObject, Nullish } from '../http/fields.ts'
import { parse, uuidParam } from '../http/request.ts'
import type { AuthFilter } from './auth/handlers.ts'
import type { Deployment, DeploymentCall } from './deployment.ts'
import type { Assistant, Run, Thread } from './records.ts'
import { namespace } from './schemas/item-requests.ts'

/** Whether metadata matches the caller's filter. */
export type Permit = (metadata: JsonObject) => boolean

/** Calls the authorization handler. Throws ApiError `forbidden`. */
export async function authorize(
  { auth, policies }: Deployment,
  call: DeploymentCall,
  resource: 'threads' | 'assistants' | 'crons',
  action: string,
  payload: Record<string, unknown>,
): Promise<Permit> {
  const filter: AuthFilter | undefined = await auth.authorize(call.caller, resource, action, payload)
  return (metadata) => filter === undefined || policies.permits(filter, metadata, call.endpoint)
}

/**
 * Calls the authorization handler for the store, which may change the namespace and the other fields of the request.
 *
 * Throws ApiError `forbidden`, and `invalid-body` for an invalid namespace of the handler.
 */
export async function storeAccess<Request extends { namespace?: Nullish<string[]>; filter?: Nullish<JsonObject> }>(
  { auth }: Deployment,
  call: DeploymentCall,
  action: 'put' | 'get' | 'delete' | 'search' | 'list_namespaces',
  request: Request,
): Promise<Request> {
  const payload = { ...request }
  const filter: AuthFilter | undefined = await auth.authorize(call.caller, 'store', action, payload)
  if (payload.namespace != null && action !== 'search') parse(namespace, payload.namespace)
  return filter === undefined || action !== 'search'
    ? payload
    : { ...payload, filter: { ...payload.filter, ...filter } }
}

/** Returns the metadata of a payload after the handler's changes. */
export function writtenMetadata(payload: Record<string, unknown>): JsonObject {
  const { metadata } = payload
  return typeof metadata === 'object' && metadata !== null ? { ...metadata } : {}
}

/** The actions on threads and assistants for authorization handlers. */
export type Action = 'read' | 'search' | 'update' | 'delete'

/**
 * Returns the thread of the path. Throws ApiError `thread-not-found`, also for a thread that the caller may not see.
 *
 * The handler gets `payload` with the thread's id, and may write into its `metadata`.
 */
export async function threadOf(
  deployment: Deployment,
  call: DeploymentCall,
  action: Action,
  payload: Record<string, unknown> = { metadata: {} },
): Promise<Thread> {
  const thread_id = uuidParam(call.param('thread_id'), 'thread', deployment.dialect)
  payload['thread_id'] = thread_id
  const permit = await authorize(deployment, call, 'threads', action, payload)
  const thread = deployment.store.threads.get(thread_id)
  if (thread === undefined || !permit(thread.metadata)) throw threadNotFound(thread_id)
  return thread
}

/** Returns the run of the path. Throws ApiError `thread-not-found` or `run-not-found`. */
export async function runOf(deployment: Deployment, call: DeploymentCall, action: Action = 'read'): Promise<Run> {
  const run_id = uuidParam(call.param('run_id'), 'run', deployment.dialect)
  const thread = await threadOf(deployment, call, action)
  const run = thread.runs.get(run_id)
  if (run === undefined) throw runNotFound(run_id)
  return run
}

export function runNotFound(run_id: string): ApiError {
  return new ApiError('run-not-found', `Run ${run_id} not found`)
}

/**
 * Returns the assistant with this id. Throws ApiError `assistant-not-found`, also for one that the caller may not see.
 *
 * The handler gets `payload` with the id, and may write into its `metadata`.
 */
export async function assistantOf(
  deployment: Deployment,
  call: DeploymentCall,
  assistant_id: string,
  action: Action = 'read',
  payload: Record<string, unknown> = { metadata: {} },
): Promise<Assistant> {
  payload['assistant_id'] = assistant_id
  const permit = await authorize(deployment, call, 'assistants', action, payload)
  const assistant = deployment.store.assistants.get(assistant_id)
  if (assistant === undefined || !permit(assistant.metadata)) throw assistantNotFound(assistant_id)
  return assistant
}

export function assistantNotFound(assistant_id: string): ApiError {
  return new ApiError('assistant-not-found', `Assistant ${assistant_id} not found`)
}

export function threadNotFound(
  thread_id: string,
  kind: 'thread-not-found' | 'thread-of-new-run-not-found' = 'thread-not-found',
): ApiError {
  return new ApiError(kind, `Thread ${thread_id} not found`)
}
