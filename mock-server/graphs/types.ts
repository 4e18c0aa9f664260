/** A stored message. Section of the specification: Message. */
export interface Message {
  content: string | readonly ContentBlock[]
  additional_kwargs: Record<string, unknown>
  response_metadata: Record<string, unknown>
  /** `remove` only in updates: it removes the message with the same id from the state. */
  type: 'human' | 'ai' | 'tool' | 'system' | 'remove'
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

/** A step in the execution of a tool call. */
export type ToolEvent = { readonly id: string; readonly name: string } & (
  | { readonly event: 'start'; readonly input: unknown }
  | { readonly event: 'end'; readonly output: unknown }
  | { readonly event: 'error'; readonly error: string }
)

export interface UsageMetadata {
  input_tokens: number
  output_tokens: number
  total_tokens: number
}

/** A part of a tool call while its message is streamed. */
export interface ToolCallChunk {
  readonly type: 'tool_call_chunk'
  /** The position of the call among the calls of its message. */
  readonly index: number
  /** In the first chunk of a call; null in later ones. */
  readonly id: string | null
  /** In the first chunk of a call; null in later ones. */
  readonly name: string | null
  /** A part of the JSON of the arguments. */
  readonly args: string
}

/** A part of a message of a model. */
export interface MessageChunk {
  /** Text, or blocks with text. Blocks with the same `index` are parts of one block. */
  readonly content?: Message['content']
  readonly tool_call_chunks?: readonly ToolCallChunk[]
  readonly usage_metadata?: UsageMetadata
}

/** The values of a graph's channels. Updates append to `messages` and replace any other key. */
export interface GraphState {
  messages: readonly Message[]
  [channel: string]: unknown
}

/** The second argument of a node. */
export interface NodeContext {
  /** The `config` of the run. */
  readonly config: { configurable: Record<string, unknown>; metadata: Record<string, unknown> }
  /** The `context` of the run, added to that of its assistant. */
  readonly context: Readonly<Record<string, unknown>>
  /** The authenticated user; undefined without custom authentication. */
  readonly user: Readonly<Record<string, unknown>> | undefined
  /** Aborted when the run is interrupted, rolled back or cancelled. */
  readonly signal: AbortSignal
  /** Waits by the server's clock. Rejects when `signal` is aborted. */
  sleep(ms: number): Promise<void>
  /** Streams one token of the message with this id (modes `messages` and `messages-tuple`). */
  token(messageId: string, text: string): void
  /** Streams a part of the message with this id: text, blocks such as reasoning, parts of tool calls, or its usage. */
  chunk(messageId: string, chunk: MessageChunk): void
  /** Streams a custom event (mode `custom`). */
  emit(data: unknown): void
  /** Streams what happens to a tool call (mode `tools`). */
  tool(event: ToolEvent): void
  /** Returns a new message id. */
  messageId(): string
  /**
   * Stops the run until a later run has `command: { resume }`. The node then runs again, and this call returns the value.
   *
   * Several calls in one node get their values in order. Do not catch what it throws.
   */
  interrupt(value: unknown): unknown
  /**
   * Runs a graph as a subgraph of this node. Returns its new messages and its channels, as a node does.
   *
   * Clients that ask for subgraphs receive its events with the namespace `node:id` of this node. It writes no checkpoints.
   * Rejects if a node of the subgraph throws. A node that is interrupted in a subgraph runs again from its start.
   */
  subgraph(graph: Graph): Promise<{ messages: readonly Message[]; [channel: string]: unknown }>
}

/** The result of a node: new messages and channel values, or nothing. */
type NodeUpdate = { messages?: readonly MessageInput[]; [channel: string]: unknown } | undefined

/** A message of a node or a caller. Missing fields get their defaults. */
export type MessageInput = Partial<Message> & { role?: string; content?: Message['content'] }

export type Node = (state: GraphState, context: NodeContext) => NodeUpdate | Promise<NodeUpdate>

/** A graph that the server can run. Create it with `defineGraph`. */
export interface Graph {
  readonly kind: 'touchstone.graph'
  readonly nodes: ReadonlyMap<string, Node>
  /** The node that runs first. */
  readonly entry: string
  /** Returns the node after a finished one; undefined ends the run. */
  readonly next: (finished: string, state: GraphState) => string | undefined
  /** Whether nodes run in the order of their definition, or `next` chooses them. */
  readonly order: 'listed' | 'chosen'
  /** Returns the graph of one run, if runs differ from each other. */
  readonly forRun?: ForRun
  /** Returns how a later run resumes this one, if runs differ from each other. */
  readonly remaining?: () => ForRun
}

/** Returns the graph of one run. `state` is its initial state, including the input. */
export type ForRun = (run: RunView, state: GraphState) => Graph

/** The run that a graph executes. */
export interface RunView {
  readonly run_id: string
  readonly thread_id: string
  /** The input; null without one. */
  readonly input: unknown
  readonly config: NodeContext['config']
  readonly user: NodeContext['user']
}
