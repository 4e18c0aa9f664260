import type { AuthUser } from '../auth/handlers.ts'
import type { Assistant, Configurable, RunKwargs } from '../records.ts'
import type { RunCreate } from '../schemas/requests.ts'

/** The keys of the authenticated user in the configuration: that of the specification and the public one. */
const USER_KEYS = ['graph_auth_user', 'langgraph_auth_user'] as const

/** The thread, assistant and user of a run. */
export interface RunContext {
  readonly run_id: string
  readonly thread_id: string
  readonly assistant: Assistant
  readonly user: AuthUser | undefined
  /** The headers of the request. */
  readonly headers: Headers
  /** Whether the run creates its thread. */
  readonly isNewThread: boolean
  /** Whether the thread is deleted when the run ends. */
  readonly isTemporary: boolean
}

/** Returns the `kwargs` of a new run, with every documented key. Section of the specification: Run. */
export function runKwargs(request: RunCreate, context: RunContext): RunKwargs {
  const { stream_mode } = request
  const runContext = { ...context.assistant.context, ...request.context }
  return {
    input: request.input ?? null,
    config: {
      ...context.assistant.config,
      ...request.config,
      metadata: { ...request.config?.metadata, created_by: 'system' },
      configurable: configurable(request, context),
    },
    webhook: request.webhook ?? null,
    temporary: context.isTemporary,
    stream_mode: stream_mode == null ? ['values'] : [stream_mode].flat(),
    feedback_keys: request.feedback_keys ?? null,
    interrupt_after: request.interrupt_after ?? null,
    interrupt_before: request.interrupt_before ?? null,
    ...(Object.keys(runContext).length > 0 && { context: runContext }),
    ...(request.command != null && { command: request.command }),
  }
}

function configurable(request: RunCreate, { run_id, thread_id, assistant, user }: RunContext): Configurable {
  const settings = { ...objectOrEmpty(assistant.config['configurable']), ...request.config?.configurable }
  // Only the authentication handler sets the user.
  for (const key of USER_KEYS) delete settings[key]
  return {
    ...settings,
    ...(user === undefined ? {} : Object.fromEntries(USER_KEYS.map((key) => [key, user]))),
    run_id,
    user_id: user?.identity ?? '',
    graph_id: assistant.graph_id,
    thread_id,
    assistant_id: assistant.assistant_id,
    checkpoint_id:
      request.checkpoint_id ?? request.checkpoint?.checkpoint_id ?? stringOrNull(settings['checkpoint_id']),
  }
}

export function objectOrEmpty(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
