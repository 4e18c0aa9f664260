/** A stored message: the document's section "Message". */
export interface Message {
  content: string | readonly ContentBlock[]
  additional_kwargs: Record<string, unknown>
  response_metadata: Record<string, unknown>
  type: 'human' | 'ai' | 'tool' | 'system'
  name: string | null
  id: string
  example: boolean
  tool_calls?: readonly ToolCall[]
  invalid_tool_calls?: readonly unknown[]
  usage_metadata?: UsageMetadata | null
  tool_call_id?: string
  artifact?: unknown
  status?: 'success' | 'error'
}

export interface ContentBlock {
  type: string
  [field: string]: unknown
}

export interface ToolCall {
  name: string
  args: Record<string, unknown>
  id: string
  type: 'tool_call'
}

export interface UsageMetadata {
  input_tokens: number
  output_tokens: number
  total_tokens: number
}

/** Values of the channels of a graph; `messages` is appended to, any other key is replaced. */
export interface GraphState {
  messages: readonly Message[]
  [channel: string]: unknown
}

/** What a node is given beside the state. */
export interface NodeContext {
  /** `config` of the run: `configurable`, `metadata`. */
  readonly config: { configurable: Record<string, unknown>; metadata: Record<string, unknown> }
  /** The authenticated user, where custom authentication is on. */
  readonly user: Readonly<Record<string, unknown>> | undefined
  /** Aborted when the run is interrupted, rolled back or cancelled. */
  readonly signal: AbortSignal
  /** Waits by the server's clock; rejects when `signal` is aborted. */
  sleep(ms: number): Promise<void>
  /** Streams one token of the message with this id (modes `messages` and `messages-tuple`). */
  token(messageId: string, text: string): void
  /** Streams a custom event (mode `custom`). */
  emit(data: unknown): void
  /** A fresh message id. */
  messageId(): string
  /**
   * Stops the run until a later one answers with `command: { resume }`; the node then begins anew and this returns the answer.
   *
   * Of several in one node, each gets its own answer, in their order. What it throws must not be caught.
   */
  interrupt(value: unknown): unknown
}

/** What a node returns: new messages and channel values, or nothing. */
type NodeUpdate = { messages?: readonly MessageInput[]; [channel: string]: unknown } | undefined

/** A message as a node or a caller may write it; missing fields get their defaults. */
export type MessageInput = Partial<Message> & { role?: string; content?: Message['content'] }

export type Node = (state: GraphState, context: NodeContext) => NodeUpdate | Promise<NodeUpdate>
