import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { whyNotInstalled } from '../../targets/third-party/install.ts'
import { type ThirdPartyServer, thirdPartyServers } from '../../targets/third-party/servers.ts'

/** A server to measure. */
export interface BenchServer {
  readonly name: string
  /** Description for the results, with a version. */
  readonly title: string
  /** Prepares a working directory if the server needs one. Returns the command that starts the server on a port. */
  prepare(port: number): Promise<PreparedServer>
}

/** A command that starts a server. */
interface PreparedServer {
  readonly command: readonly [string, ...string[]]
  /** Working directory of the command, removed when the server has ended. */
  readonly folder?: string
}

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The mock server, started as users start it. */
export const mock: BenchServer = {
  name: 'mock',
  title: 'touchstone serve',
  prepare: async (port) => ({
    command: [process.execPath, file('../../cli/bin/touchstone.js'), 'serve', '--port', String(port)],
  }),
}

/** A minimal server on `node:http`. */
export const bare: BenchServer = {
  name: 'bare',
  title: 'bare node:http',
  prepare: async (port) => ({ command: [process.execPath, file('bare.ts'), String(port)] }),
}

/** Returns the installed third-party servers. `missing` contains the reasons why the others are not installed. */
export async function installedServers(): Promise<{ benchServers: BenchServer[]; missing: string[] }> {
  const reasons = await Promise.all(thirdPartyServers.map(whyNotInstalled))
  return {
    benchServers: thirdPartyServers.filter((_, index) => reasons[index] === undefined).map(toBenchServer),
    missing: reasons.filter((reason) => reason !== undefined),
  }
}

function toBenchServer(server: ThirdPartyServer): BenchServer {
  return {
    name: server.name,
    title: server.package,
    prepare: async (port) => {
      const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'))
      await cp(server.testGraphs, folder, { recursive: true })
      await server.prepare(folder)
      return { command: server.serve('langgraph.json', port), folder }
    },
  }
}
