import type { ForRun, Graph } from '../graphs/define.ts'
import type { GraphState, NodeContext } from '../graphs/types.ts'
import { perform, type ToolResults, toolResults } from './perform.ts'
import { checkReply, partsOf, type ReplyPart, type Turn } from './reply.ts'
import type { InterruptStep, SubgraphStep } from './steps.ts'

/** A part of a reply, with texts converted to steps. The node of a subgraph has its name. */
export type Part = Exclude<ReplyPart, string | SubgraphStep> | ToolResults | (SubgraphStep & { readonly node: string })

/** The position in a reply. */
export interface Position {
  readonly left: readonly Part[]
  /** The value that resumed its newest interrupt. */
  readonly resume: unknown
  /** The node that runs again, if there is one. */
  readonly node?: string | undefined
}

/** The run to which a reply is played. */
export interface Playing {
  /** Returns the current turn. */
  readonly turn: (state: GraphState, resume: unknown) => Turn
  /** Plays the rest to a later run. */
  readonly later: (position: Position) => ForRun
}

type Update = Record<string, unknown> | undefined

/**
 * Converts a reply to the graph of one run. Every message is a step of the graph. What comes before it (a pause, an event,
 * an interrupt) belongs to the same step unless it names another node.
 */
export function playback(from: Position, state: GraphState, playing: Playing): Graph {
  let { left, resume } = from
  // The interrupts of the current step: a resumed node runs again and repeats them.
  let interrupts: readonly InterruptStep[] = []
  let isUnderWay = false
  let isPlayed = false

  /** Converts the next part to a step; undefined at the end. */
  const first = (now: GraphState): Exclude<Part, (turn: Turn) => unknown> | undefined => {
    for (let [part] = left; part !== undefined; [part] = left) {
      if (typeof part !== 'function') return part
      left = [...call(part, playing.turn(now, resume)), ...left.slice(1)]
    }
    return undefined
  }

  /** Returns the name of the next node; undefined at the end. */
  const settle = (now: GraphState): string | undefined => {
    if (first(now) === undefined) return undefined
    for (const part of left) {
      if (typeof part === 'function') break
      if ('node' in part && part.node !== undefined) return part.node
      if (closes(part)) break
    }
    return 'agent'
  }

  const play = async (now: GraphState, context: NodeContext): Promise<Update> => {
    isUnderWay = true
    isPlayed = true
    for (let step = first(now); step !== undefined; step = first(now)) {
      if ('node' in step && step.node !== undefined && step.node !== name) return undefined
      if ('interrupt' in step) {
        resume = context.interrupt(step.interrupt)
        interrupts = [...interrupts, step]
      }
      const rest = left.slice(1)
      if ('subgraph' in step) {
        const update = await context.subgraph(
          playback({ left: partsFrom(step.steps), resume: undefined }, now, playing),
        )
        left = rest
        isUnderWay = false
        return update
      }
      // A failure at the end is kept: nothing follows it.
      if (!('fail' in step) || rest.length > 0) left = rest
      isUnderWay = !('fail' in step)
      const update = await perform(step, context)
      if ('callTool' in step) left = [...toolResults(step, update), ...left]
      if (closes(step)) return update
    }
    return undefined
  }

  let name = from.node ?? settle(state) ?? 'agent'
  return {
    kind: 'touchstone.graph',
    order: 'chosen',
    get nodes() {
      const named = left.flatMap((part) => ('node' in part && part.node !== undefined ? [part.node] : []))
      return new Map([name, ...named].map((node) => [node, enter(node)]))
    },
    get entry() {
      return name
    },
    next: (_finished, now) => {
      // A caller has written to the state as this node.
      if (!isPlayed) left = left.slice(left.findIndex(closes) + 1)
      isPlayed = false
      interrupts = []
      isUnderWay = false
      const next = settle(now)
      name = next ?? name
      return next
    },
    remaining: () => playing.later({ left: [...interrupts, ...left], resume, node: isUnderWay ? name : undefined }),
  }

  /** Returns the node with this name. If it is not the next one, the steps before it are skipped. */
  function enter(node: string): (now: GraphState, context: NodeContext) => Promise<Update> {
    return (now, context) => {
      if (node !== name) left = left.slice(left.findIndex((part) => 'node' in part && part.node === node))
      name = node
      return play(now, context)
    }
  }
}

/** Converts texts to steps. */
export function partsFrom(parts: readonly ReplyPart[]): readonly Part[] {
  return parts.map((part) => {
    if (typeof part === 'string') return { say: part }
    return 'subgraph' in part ? { ...part, node: part.subgraph } : part
  })
}

/** Whether a step is the last of its node. */
function closes(part: Part): boolean {
  return !('pause' in part || 'emit' in part || 'interrupt' in part)
}

/** Returns the parts that a function returns. If it throws, the run fails with its error. */
function call(write: (turn: Turn) => unknown, turn: Turn): readonly Part[] {
  try {
    return partsFrom(partsOf(checkReply(write(turn), 'The return value of a function of the script')))
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    return [{ fail: { error: name, message } }]
  }
}
