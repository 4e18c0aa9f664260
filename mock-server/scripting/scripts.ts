import type { Graph } from '../graphs/define.ts'
import type { Answer } from './answer.ts'
import { createExportScript, type ExportScript, type PlayedExports, type ScriptedExport } from './exports.ts'
import type { Taken } from './row.ts'
import { createScript, type PlayedScript, type Script } from './script.ts'

/** Where every script of a server stands. */
export interface ScriptPositions {
  readonly graphs: ReadonlyMap<string, Taken>
  readonly exports: Taken | undefined
}

/** The scripts of a server. */
export interface Scripts {
  /** Gives a graph new answers, in place of those it had. Throws a TypeError for what is no answer. */
  write(graph: string, answers: readonly Answer[]): Script
  /** Says what becomes of exports, in place of what was said before. Throws a TypeError for what is none. */
  writeExports(exports: readonly ScriptedExport[]): ExportScript
  /** What becomes of an export that is created now. */
  nextExport(): ScriptedExport | undefined
  /** Deploys every scripted graph. */
  deploy(): void
  positions(): ScriptPositions
  /** Goes back to where the scripts stood; without positions, to the beginning of each. */
  goBack(positions?: ScriptPositions): void
}

/** The scripts of a server that deploys graphs with `deploy`. */
export function createScripts(deploy: (name: string, graph: Graph) => void): Scripts {
  const graphs = new Map<string, PlayedScript>()
  let exports: PlayedExports | undefined
  return {
    write: (name, answers) => {
      if (typeof name !== 'string' || name === '') {
        throw new TypeError(`A script needs the name of its graph, received ${JSON.stringify(name) ?? typeof name}`)
      }
      const played = createScript(name, answers)
      graphs.set(name, played)
      deploy(name, played.graph)
      return played.script
    },
    writeExports: (given) => {
      exports = createExportScript(given)
      return exports.script
    },
    nextExport: () => exports?.next(),
    deploy: () => {
      for (const [name, { graph }] of graphs) deploy(name, graph)
    },
    positions: () => ({
      graphs: new Map([...graphs].map(([name, played]) => [name, played.position()])),
      exports: exports?.position(),
    }),
    goBack: (positions) => {
      for (const [name, played] of graphs) played.goBack(positions?.graphs.get(name) ?? new Map())
      exports?.goBack(positions?.exports ?? new Map())
    },
  }
}
