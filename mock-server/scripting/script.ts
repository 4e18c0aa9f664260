import { defineGraph, type ForRun, type Graph, type RunView } from '../graphs/define.ts'
import type { GraphState } from '../graphs/types.ts'
import { type Position, partsFrom, playback } from './playback.ts'
import { checkScriptedReply, partsOf, type Reply, turnOf } from './reply.ts'
import { Sequence, type Taken } from './sequence.ts'

/** The replies of a scripted graph. Every run takes the next one when it starts. A resumed run continues its own. */
export interface Script {
  /** Adds replies at the end. */
  add(...replies: readonly Reply[]): Script
  /** Starts again at the first reply when all are taken. */
  repeat(): Script
  /** Sets the reply of every run for which no reply remains. */
  otherwise(reply: Reply): Script
  /** Lets every thread start at the first reply. By default, all threads share the replies. */
  perThread(): Script
  /** The number of runs that have taken a reply. */
  readonly taken: number
}

/** A script with the graph that plays it. */
export interface PlayedScript {
  readonly script: Script
  readonly graph: Graph
  /** Returns which replies have been taken, for `goBack`. */
  position(): Taken
  /** Restores a position. */
  goBack(position: Taken): void
}

/** Creates the script of a graph. Throws a TypeError for an invalid reply. */
export function createScript(name: string, replies: readonly Reply[]): PlayedScript {
  const sequence = new Sequence<Reply>()
  let keyOf = (_run: RunView): string => ''

  const script: Script = {
    add: (...further) => {
      for (const reply of further) {
        sequence.add(checkScriptedReply(reply, `Reply ${sequence.length + 1} of the graph ${JSON.stringify(name)}`))
      }
      return script
    },
    repeat: () => {
      sequence.repeat()
      return script
    },
    otherwise: (reply) => {
      sequence.otherwise(checkScriptedReply(reply, `The reply "otherwise" of the graph ${JSON.stringify(name)}`))
      return script
    },
    perThread: () => {
      keyOf = ({ thread_id }) => thread_id
      return script
    },
    get taken() {
      return sequence.taken
    },
  }

  const play = (position: Position, run: RunView, state: GraphState, count: number): Graph =>
    playback(position, state, {
      turn: (now, resume) => turnOf(run, now, resume, count),
      later: (left) => (laterRun, now) => play(left, laterRun, now, count),
    })

  const forRun: ForRun = (run, state) => {
    const { item = exhausted(name, sequence.length, sequence.taken), count } = sequence.take(keyOf(run))
    return play({ left: partsFrom(partsOf(item)), resume: undefined }, run, state, count)
  }

  script.add(...replies)
  const graph = defineGraph({ nodes: { agent: () => undefined, tools: () => undefined } })
  return {
    script,
    graph: { ...graph, order: 'chosen', forRun },
    position: () => sequence.position(),
    goBack: (position) => sequence.goBack(position),
  }
}

function exhausted(name: string, length: number, taken: number): Reply {
  const graph = JSON.stringify(name)
  const message = `The script of the graph ${graph} has no reply for run ${taken}, only ${length} in total. Add a reply, or end the script with repeat() or otherwise(reply).`
  return { fail: { error: 'ScriptExhausted', message } }
}
