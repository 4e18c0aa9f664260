import type { Graph } from '../graphs/define.ts'
import { createExportScript, type ExportScript, type PlayedExports, type ScriptedExport } from './exports.ts'
import type { Reply } from './reply.ts'
import { createScript, type PlayedScript, type Script } from './script.ts'
import type { Taken } from './sequence.ts'

/** The positions of all scripts of a server. */
export interface ScriptPositions {
  readonly graphs: ReadonlyMap<string, Taken>
  readonly exports: Taken | undefined
}

/** The scripts of a server. */
export interface Scripts {
  /** Replaces the script of a graph. Throws a TypeError for an invalid reply. */
  write(graph: string, replies: readonly Reply[]): Script
  /** Replaces the script of exports. Throws a TypeError for an invalid outcome. */
  writeExports(exports: readonly ScriptedExport[]): ExportScript
  /** Returns the outcome of a new export. */
  nextExport(): ScriptedExport | undefined
  /** Deploys all scripted graphs. */
  deploy(): void
  positions(): ScriptPositions
  /** Returns all scripts to these positions; by default, to their start. */
  goBack(positions?: ScriptPositions): void
}

/** Creates the scripts of a server. `deploy` deploys a graph. */
export function createScripts(deploy: (name: string, graph: Graph) => void): Scripts {
  const graphs = new Map<string, PlayedScript>()
  let exports: PlayedExports | undefined
  return {
    write: (name, replies) => {
      if (typeof name !== 'string' || name === '') {
        throw new TypeError(`A script needs the name of its graph, received ${JSON.stringify(name) ?? typeof name}`)
      }
      const played = createScript(name, replies)
      graphs.set(name, played)
      deploy(name, played.graph)
      return played.script
    },
    writeExports: (outcomes) => {
      exports = createExportScript(outcomes)
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
