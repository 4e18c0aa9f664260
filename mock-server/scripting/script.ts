import { defineGraph, type ForRun, type Graph, type RunView } from '../graphs/define.ts'
import type { GraphState } from '../graphs/types.ts'
import { type Answer, partsOf, turnOf } from './answer.ts'
import { checkWritten } from './check.ts'
import { type Position, partsFrom, playback } from './playback.ts'
import { Row, type Taken } from './row.ts'

/** The replies of a scripted graph. Every run takes the next one when it starts. A resumed run continues its own. */
export interface Script {
  /** Adds replies at the end. */
  add(...answers: readonly Answer[]): Script
  /** Starts again at the first reply after the last. */
  repeat(): Script
  /** Sets the reply after the last. */
  otherwise(answer: Answer): Script
  /** Gives every thread all replies from the first on. By default, all threads share them. */
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
  goBack(position: Taken): void
}

/** Creates the script of a graph. Throws a TypeError for an invalid reply. */
export function createScript(name: string, given: readonly Answer[]): PlayedScript {
  const row = new Row<Answer>()
  let rowOf = (_run: RunView): string => ''

  const script: Script = {
    add: (...answers) => {
      for (const answer of answers) {
        row.add(checkWritten(answer, `Answer ${row.length + 1} of the graph ${JSON.stringify(name)}`))
      }
      return script
    },
    repeat: () => {
      row.repeat()
      return script
    },
    otherwise: (answer) => {
      row.otherwise(checkWritten(answer, `The other answer of the graph ${JSON.stringify(name)}`))
      return script
    },
    perThread: () => {
      rowOf = ({ thread_id }) => thread_id
      return script
    },
    get taken() {
      return row.taken
    },
  }

  const play = (position: Position, run: RunView, state: GraphState, count: number): Graph =>
    playback(position, state, {
      turn: (now, resume) => turnOf(run, now, resume, count),
      later: (left) => (laterRun, now) => play(left, laterRun, now, count),
    })

  const forRun: ForRun = (run, state) => {
    const { item = exhausted(name, row.length, row.taken), count } = row.take(rowOf(run))
    return play({ left: partsFrom(partsOf(item)), resume: undefined }, run, state, count)
  }

  script.add(...given)
  const graph = defineGraph({ nodes: { agent: () => undefined, tools: () => undefined } })
  return {
    script,
    graph: { ...graph, order: 'chosen', forRun },
    position: () => row.position(),
    goBack: (position) => row.goBack(position),
  }
}

function exhausted(name: string, given: number, taken: number): Answer {
  const graph = JSON.stringify(name)
  const message = `The script of the graph ${graph} has no answer for run ${taken}: ${given} were given. Add one, or end the script with repeat() or otherwise(answer).`
  return { fail: { error: 'ScriptExhausted', message } }
}
