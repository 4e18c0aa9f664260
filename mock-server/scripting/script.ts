import { defineGraph, type ForRun, type Graph, type RunView } from '../graphs/define.ts'
import type { GraphState } from '../graphs/types.ts'
import { type Answer, partsOf, turnOf } from './answer.ts'
import { checkAnswer } from './check.ts'
import { type Position, partsFrom, playback } from './playback.ts'

/** The answers of a scripted graph. Every run takes the next one when it starts; one that resumes goes on with its own. */
export interface Script {
  /** Adds answers at the end. */
  add(...answers: readonly Answer[]): Script
  /** Begins again at the first answer when all have been given. */
  repeat(): Script
  /** Answers in this way when all have been given. */
  otherwise(answer: Answer): Script
  /** Gives every thread all the answers, from the first on, in place of one row for all threads. */
  perThread(): Script
  /** How many runs have taken an answer. */
  readonly taken: number
}

/** A script with the graph that plays it, and what a server does with it. */
export interface PlayedScript {
  readonly script: Script
  readonly graph: Graph
  /** Which answers have been taken, for `goBack`. */
  position(): ReadonlyMap<string, number>
  goBack(position: ReadonlyMap<string, number>): void
}

/** Makes the script of a graph. Throws a TypeError for what is no answer. */
export function createScript(name: string, given: readonly Answer[]): PlayedScript {
  const answers: Answer[] = []
  let taken = new Map<string, number>()
  let rowOf = (_run: RunView): string => ''
  let afterwards = (count: number): Answer => exhausted(name, answers.length, count)

  const script: Script = {
    add: (...more) => {
      for (const answer of more) {
        answers.push(checkAnswer(answer, `Answer ${answers.length + 1} of the graph ${JSON.stringify(name)}`))
      }
      return script
    },
    repeat: () => {
      afterwards = (count) => answers[(count - 1) % answers.length] ?? exhausted(name, 0, count)
      return script
    },
    otherwise: (answer) => {
      const checked = checkAnswer(answer, `The other answer of the graph ${JSON.stringify(name)}`)
      afterwards = () => checked
      return script
    },
    perThread: () => {
      rowOf = ({ thread_id }) => thread_id
      return script
    },
    get taken() {
      return [...taken.values()].reduce((sum, count) => sum + count, 0)
    },
  }

  const play = (position: Position, run: RunView, state: GraphState, count: number): Graph =>
    playback(position, state, {
      turn: (now, resume) => turnOf(run, now, resume, count),
      later: (left) => (laterRun, now) => play(left, laterRun, now, count),
    })

  const forRun: ForRun = (run, state) => {
    const row = rowOf(run)
    const count = (taken.get(row) ?? 0) + 1
    taken.set(row, count)
    const left = partsFrom(partsOf(answers[count - 1] ?? afterwards(count)))
    return play({ left, resume: undefined }, run, state, count)
  }

  script.add(...given)
  return {
    script,
    graph: { ...defineGraph({ nodes: { agent: () => undefined, tools: () => undefined } }), order: 'chosen', forRun },
    position: () => new Map(taken),
    goBack: (position) => {
      taken = new Map(position)
    },
  }
}

function exhausted(name: string, given: number, count: number): Answer {
  const graph = JSON.stringify(name)
  const message = `The script of the graph ${graph} has no answer for run ${count}: ${given} were given. Add one, or end the script with repeat() or otherwise(answer).`
  return { fail: { error: 'ScriptExhausted', message } }
}
