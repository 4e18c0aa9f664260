import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../suites/runner/package-root.ts'
import type { Peer } from './peer.ts'

const here = join(packageRoot, 'targets/third-party/langgraph-js')
const modules = join(here, 'node_modules')

/** The public JavaScript server, in one process. */
export const langgraphJs: Peer = {
  name: 'langgraph-js',
  server: '@langchain/langgraph-api 1.5.1',
  testGraphs: join(packageRoot, 'fixtures/test-graphs/js'),
  installed: modules,
  pins: [join(here, 'package-lock.json')],
  install: [['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error']],
  remedy: 'it needs npm and a registry that answers',
  serve: (configuration, port) => [process.execPath, join(here, 'start.mjs'), configuration, String(port)],
  // The graphs import their packages from where they lie.
  prepare: (folder) => symlink(modules, join(folder, 'node_modules')),
}
