import type { MessageInput, NodeContext } from '../graphs/types.ts'
import type { CallToolStep, FailStep, SayStep, Step, SubgraphStep, ToolUse } from './steps.ts'
import { streamCalls, streamMessage } from './stream-message.ts'

/** The step with the results of tools. */
export interface ToolResults {
  readonly toolResults: readonly (ToolUse & { readonly id: string })[]
  readonly node: string
}

type Update = Record<string, unknown> | undefined

/** Executes a step. Returns the update of its node. */
export async function perform(step: Exclude<Step, SubgraphStep> | ToolResults, context: NodeContext): Promise<Update> {
  if ('say' in step) return { ...step.set, messages: [spoken(step)] }
  if ('stream' in step) return { ...step.set, messages: [await streamMessage(step, context)] }
  if ('callTool' in step) return { ...step.set, messages: [await calling(step, context)] }
  if ('toolResults' in step) return { messages: await results(step, context) }
  if ('setState' in step) return step.setState
  if ('fail' in step) throw failure(step)
  if ('emit' in step) context.emit(step.emit)
  if ('pause' in step) await context.sleep(step.pause)
  return undefined
}

/** Returns the step with the results of a message's tool calls; none without results. */
export function toolResults({ callTool, toolNode = 'tools' }: CallToolStep, update: Update): readonly ToolResults[] {
  const messages = update?.['messages']
  const [message] = Array.isArray(messages) ? (messages as readonly MessageInput[]) : []
  const withResult = [callTool]
    .flat()
    .map((use, index) => ({ ...use, id: message?.tool_calls?.[index]?.id ?? '' }))
    .filter(({ result, error }) => result !== undefined || error !== undefined)
  return withResult.length === 0 ? [] : [{ toolResults: withResult, node: toolNode }]
}

function spoken({ say }: SayStep): MessageInput {
  return typeof say === 'string' ? { role: 'ai', content: say } : say
}

async function calling(step: CallToolStep, context: NodeContext): Promise<MessageInput> {
  const { callTool, content = '', message, streamed = false } = step
  const tool_calls = [callTool].flat().map(({ name, args, id = `call_${context.messageId()}` }) => {
    return { name, args, id, type: 'tool_call' as const }
  })
  return streamed
    ? streamCalls(step, { ...message, tool_calls }, context)
    : { role: 'ai', content, ...message, tool_calls }
}

async function results({ toolResults }: ToolResults, { sleep, tool }: NodeContext): Promise<MessageInput[]> {
  for (const { id, name, args } of toolResults) tool({ event: 'start', id, name, input: args })
  const tookMs = Math.max(...toolResults.map((use) => use.tookMs ?? 0))
  if (tookMs > 0) await sleep(tookMs)
  for (const { id, name, result, error } of toolResults) {
    tool(error === undefined ? { event: 'end', id, name, output: result } : { event: 'error', id, name, error })
  }
  return toolResults.map(({ name, id, result, error, artifact = null }) => ({
    role: 'tool',
    name,
    tool_call_id: id,
    content: error ?? (typeof result === 'string' ? result : JSON.stringify(result)),
    status: error === undefined ? 'success' : 'error',
    artifact,
  }))
}

function failure({ fail }: FailStep): Error {
  if (typeof fail === 'string') return new Error(fail)
  const { error, message } = fail
  return Object.assign(new Error(message), { name: error })
}
