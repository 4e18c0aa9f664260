import { join } from 'node:path'
import { packageRoot } from '../../suites/runner/package-root.ts'
import type { Peer } from './peer.ts'

const here = join(packageRoot, 'targets/third-party/langgraph-py')
const venv = join(here, 'venv')

/** The public Python server, in memory. */
export const langgraphPy: Peer = {
  name: 'langgraph-py',
  server: 'langgraph-api 0.16.7',
  testGraphs: join(packageRoot, 'fixtures/test-graphs/python'),
  installed: venv,
  pins: [join(here, 'requirements.txt'), join(here, 'constraints.txt')],
  install: [
    ['python3', '-m', 'venv', '--clear', venv],
    [
      join(venv, 'bin/pip'),
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--requirement',
      'requirements.txt',
      '--constraint',
      'constraints.txt',
    ],
  ],
  remedy:
    'it needs Python 3.11 or newer with venv (Debian: apt-get install python3-venv) and a package index that answers',
  serve: (configuration, port) => [
    join(venv, 'bin/langgraph'),
    'dev',
    '--config',
    configuration,
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--no-browser',
    '--no-reload',
    '--n-jobs-per-worker',
    '10',
    '--server-log-level',
    'error',
  ],
  prepare: async () => {},
}
