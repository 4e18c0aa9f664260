import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../package-root.ts'
import type { Command } from '../processes.ts'

/** A third-party implementation of the deployment API that the suites are run against. */
export interface ThirdPartyServer {
  /** Name of its folder in `targets/third-party`. */
  readonly name: 'langgraph-js' | 'langgraph-js-2' | 'langgraph-py'
  /** Package name and version, separated by a space. */
  readonly package: string
  /** Folder of the test graphs in the language of the server. */
  readonly testGraphs: string
  /** Folder that the installation fills. */
  readonly installFolder: string
  /** Files that pin the installed versions. */
  readonly pins: readonly string[]
  /** Commands that install the server. They run in order, in the folder of the server. */
  readonly install: readonly Command[]
  /** Number of runs that the server executes at a time, and of checks. Most of their time, runs wait to be started. */
  readonly runsAtOnce: number
  /** What the installation requires; printed when it fails. */
  readonly requirements: string
  /** Returns the command that serves a configuration file of the working directory on a loopback port. */
  serve(configuration: string, port: number): Command
  /** Prepares the working directory of one server process. */
  prepare(folder: string): Promise<void>
}

const folderOf = (name: ThirdPartyServer['name']): string => join(packageRoot, 'targets/third-party', name)

/** More runs at a time keep a JavaScript server so busy that requests arrive late. */
const javaScriptRuns = 16
/** The Python server needs up to a second to start a run. */
const pythonRuns = 30

/** Describes a version of the JavaScript server, which runs in one process. */
function javaScriptServer(name: 'langgraph-js' | 'langgraph-js-2', version: string): ThirdPartyServer {
  const folder = folderOf(name)
  const modules = join(folder, 'node_modules')
  return {
    name,
    package: `@langchain/langgraph-api ${version}`,
    testGraphs: join(packageRoot, 'fixtures/test-graphs/js'),
    installFolder: modules,
    pins: [join(folder, 'package-lock.json')],
    install: [['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error']],
    runsAtOnce: javaScriptRuns,
    requirements: 'npm and a reachable npm registry',
    serve: (configuration, port) => [
      process.execPath,
      join(folderOf('langgraph-js'), 'start.mjs'),
      configuration,
      String(port),
      String(javaScriptRuns),
    ],
    // The server and the graphs are imported from the working directory.
    prepare: (work) => symlink(modules, join(work, 'node_modules')),
  }
}

export const langgraphJs: ThirdPartyServer = javaScriptServer('langgraph-js', '1.5.1')

/** A version of the JavaScript server that is older than 1.5.1, but to which the npm tag `latest` points. */
const langgraphJs2: ThirdPartyServer = javaScriptServer('langgraph-js-2', '2.0.0')

const pyFolder = folderOf('langgraph-py')
const venv = join(pyFolder, 'venv')

/** The Python server, with its in-memory runtime. */
export const langgraphPy: ThirdPartyServer = {
  name: 'langgraph-py',
  package: 'langgraph-api 0.16.7',
  testGraphs: join(packageRoot, 'fixtures/test-graphs/python'),
  installFolder: venv,
  pins: [join(pyFolder, 'requirements.txt'), join(pyFolder, 'constraints.txt')],
  install: [
    ['python3', '-m', 'venv', '--clear', venv],
    // uv installs the packages in a tenth of the processor time of pip.
    [join(venv, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', 'uv==0.13.9'],
    [
      join(venv, 'bin/uv'),
      'pip',
      'install',
      '--quiet',
      '--python',
      join(venv, 'bin/python'),
      '--requirement',
      'requirements.txt',
      '--constraint',
      'constraints.txt',
    ],
  ],
  runsAtOnce: pythonRuns,
  requirements:
    'Python 3.11 or newer with venv (Debian: apt-get install python3-venv) and a reachable Python package index',
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
    String(pythonRuns),
    '--server-log-level',
    'error',
  ],
  prepare: async () => {},
}

/** All third-party servers, in the order in which they are tested. */
export const thirdPartyServers: readonly ThirdPartyServer[] = [langgraphJs, langgraphJs2, langgraphPy]

/** Path of the baseline with the known failures of a server. */
export function baselineFile({ name }: ThirdPartyServer): string {
  return join(folderOf(name), 'baseline.json')
}
