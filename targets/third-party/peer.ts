/** A command and its arguments. */
export type Command = readonly [string, ...string[]]

/** A public implementation of the deployment API that the suites are judged on. */
export interface Peer {
  /** Name of its folder here. */
  readonly name: 'langgraph-js' | 'langgraph-py'
  /** Package and version of the server. */
  readonly server: string
  /** Folder of the test graphs in the server's language. */
  readonly testGraphs: string
  /** Folder that the installation fills. */
  readonly installed: string
  /** Files that pin what is installed. */
  readonly pins: readonly string[]
  /** What installs it, in order; run in the peer's folder. */
  readonly install: readonly Command[]
  /** What to do where a command of the installation is missing or fails. */
  readonly remedy: string
  /** What serves a configuration file of the working directory on a loopback port. */
  serve(configuration: string, port: number): Command
  /** Prepares the working directory of one server. */
  prepare(folder: string): Promise<void>
}
