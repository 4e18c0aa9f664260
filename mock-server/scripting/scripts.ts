import type { Graph } from '../graphs/define.ts'
import { createExportScript, type ExportScript, type PlayedExports, type ScriptedExport } from './exports.ts'
import { checkGraphScript, type GraphScript, isReplyList } from './graph-script.ts'
import type { Reply } from './reply.ts'
import { replyByRules } from './rules.ts'
import { createScript, type PlayedScript, type Script } from './script.ts'
import type { Taken } from './sequence.ts'

/** A graph with a script. */
export interface ScriptCount {
  readonly graph: string
  /** The number of runs that have taken a reply. */
  readonly taken: number
}

/** The scripts of a server's graphs. */
export interface Scripts {
  /**
   * Replaces the script of a graph with one in the format of scenarios. An unknown graph is deployed.
   *
   * Throws a TypeError for an invalid script, which changes nothing.
   *
   * @example mock.scripts.set('support', { replies: ['Hello!'], repeat: true })
   */
  set(graph: string, script: GraphScript): void
  /** Returns the script of a graph; undefined for a graph without one, and for a script that is written in code. */
  get(graph: string): GraphScript | undefined
  /** Returns the graphs with a script, in the order in which they got their first one. */
  list(): readonly ScriptCount[]
  /**
   * Removes the script of a graph. A graph of the server's options gets its own behavior back; any other graph is removed
   * with its default assistant. Returns false for a graph without a script.
   */
  remove(graph: string): boolean
  /** Removes the scripts of all graphs. */
  clear(): void
}

/** The positions of all scripts of a server. */
export interface ScriptPositions {
  readonly graphs: ReadonlyMap<string, Taken>
  readonly exports: Taken | undefined
}

/** Scripts with the methods that the server uses. */
export interface PlayedScripts extends Scripts {
  /** Replaces the script of a graph. Throws a TypeError for an invalid reply. */
  write(graph: string, replies: readonly Reply[]): Script
  /** Replaces the script of exports. Throws a TypeError for an invalid outcome. */
  writeExports(exports: readonly ScriptedExport[]): ExportScript
  /** Returns the outcome of a new export. */
  nextExport(): ScriptedExport | undefined
  /** Deploys all scripted graphs. */
  deploy(): void
  positions(): ScriptPositions
  /** Restores the positions of all scripts; by default, their start. */
  goBack(positions?: ScriptPositions): void
}

/** The deployment of scripted graphs. */
interface Deployer {
  readonly deploy: (name: string, graph: Graph) => void
  /** Deploys the graph that has this name without a script, or removes the graph. */
  readonly undeploy: (name: string) => void
}

/** Creates the scripts of a server. */
export function createScripts({ deploy, undeploy }: Deployer): PlayedScripts {
  const graphs = new Map<string, PlayedScript>()
  // As they were set. Only scripts without functions are kept, because others have no JSON.
  const sources = new Map<string, GraphScript>()
  let exports: PlayedExports | undefined

  const write = (name: string, replies: readonly Reply[]): Script => {
    if (typeof name !== 'string' || name === '') {
      throw new TypeError(`A script needs the name of its graph, received ${JSON.stringify(name) ?? typeof name}`)
    }
    const played = createScript(name, replies)
    graphs.set(name, played)
    sources.delete(name)
    deploy(name, played.graph)
    return played.script
  }
  const writeChecked = (name: string, checked: GraphScript): void => {
    if (isReplyList(checked)) {
      write(name, checked)
      return
    }
    if ('rules' in checked) {
      write(name, []).otherwise(replyByRules(name, checked))
      return
    }
    const { replies, perThread, repeat, otherwise } = checked
    const script = write(name, replies)
    if (perThread) script.perThread()
    if (repeat) script.repeat()
    if (otherwise !== undefined) script.otherwise(otherwise)
  }
  const remove = (name: string): boolean => {
    if (!graphs.delete(name)) return false
    sources.delete(name)
    undeploy(name)
    return true
  }
  return {
    set: (name, value) => {
      const checked = checkGraphScript(value)
      writeChecked(name, checked)
      if (!hasFunction(checked)) sources.set(name, checked)
    },
    get: (name) => sources.get(name),
    list: () => Array.from(graphs, ([graph, { script }]) => ({ graph, taken: script.taken })),
    remove,
    clear: () => {
      for (const name of [...graphs.keys()]) remove(name)
    },
    write,
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

function hasFunction(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'function'
  return Object.values(value).some(hasFunction)
}
