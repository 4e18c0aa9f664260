import type { Graph } from '../graphs/define.ts'
import type { Answer } from './answer.ts'
import { createScript, type PlayedScript, type Script } from './script.ts'

/** Where every script of a server stands. */
export type ScriptPositions = ReadonlyMap<string, ReadonlyMap<string, number>>

/** The scripted graphs of a server. */
export interface Scripts {
  /** Gives a graph new answers, in place of those it had. Throws a TypeError for what is no answer. */
  write(graph: string, answers: readonly Answer[]): Script
  /** Deploys every scripted graph. */
  deploy(): void
  positions(): ScriptPositions
  /** Goes back to where the scripts stood; without positions, to the beginning of each. */
  goBack(positions?: ScriptPositions): void
}

/** The scripts of a server that deploys graphs with `deploy`. */
export function createScripts(deploy: (name: string, graph: Graph) => void): Scripts {
  const scripts = new Map<string, PlayedScript>()
  return {
    write: (name, answers) => {
      if (typeof name !== 'string' || name === '') {
        throw new TypeError(`A script needs the name of its graph, received ${JSON.stringify(name) ?? typeof name}`)
      }
      const played = createScript(name, answers)
      scripts.set(name, played)
      deploy(name, played.graph)
      return played.script
    },
    deploy: () => {
      for (const [name, { graph }] of scripts) deploy(name, graph)
    },
    positions: () => new Map([...scripts].map(([name, played]) => [name, played.position()])),
    goBack: (positions) => {
      for (const [name, played] of scripts) played.goBack(positions?.get(name) ?? new Map())
    },
  }
}
