import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { whyNotInstalled } from '../../targets/third-party/install.ts'
import { type ThirdPartyServer, thirdPartyServers } from '../../targets/third-party/servers.ts'

/** A server that is measured. */
export interface Contender {
  readonly name: string
  /** What it is, with its version. */
  readonly title: string
  /** Makes a working directory where the server needs one, and says what starts it there on a port. */
  prepare(port: number): Promise<Launch>
}

/** What starts a server. */
interface Launch {
  readonly command: readonly [string, ...string[]]
  /** Removed once the server has ended. */
  readonly folder?: string
}

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The mock server as its users start it. */
export const mock: Contender = {
  name: 'mock',
  title: 'touchstone serve',
  prepare: async (port) => ({
    command: [process.execPath, file('../../cli/bin/touchstone.js'), 'serve', '--port', String(port)],
  }),
}

/** What `node:http` alone can do. */
export const bare: Contender = {
  name: 'bare',
  title: 'bare node:http',
  prepare: async (port) => ({ command: [process.execPath, file('bare.ts'), String(port)] }),
}

/** The public servers that are installed, and why others are not. */
export async function installedServers(): Promise<{ contenders: Contender[]; missing: string[] }> {
  const reasons = await Promise.all(thirdPartyServers.map(whyNotInstalled))
  return {
    contenders: thirdPartyServers.filter((_, index) => reasons[index] === undefined).map(toContender),
    missing: reasons.filter((reason) => reason !== undefined),
  }
}

function toContender(server: ThirdPartyServer): Contender {
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
