import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { base } from '../suites/harness/export/base.ts'
import { testGraphNames } from '../suites/harness/test-graphs.ts'
import { type ProbedTarget, probeExports, probeTarget } from '../suites/runner/probe-target.ts'
import { resolveHeaders } from '../suites/runner/secrets.ts'
import { UsageError } from '../suites/runner/usage-error.ts'
import { configOf, exportConfigOf, renderConfig, renderExportConfig } from './init-config.ts'
import { collect, parseHeader } from './target-options.ts'
import { orUsageError } from './usage.ts'

const help = `
Asks the server which graphs it runs and whether it wants credentials, and writes touchstone.config.ts: a starting
point to edit. Nothing is changed on the server.

Where the server refuses requests without the header that you give, an Authorization or Cookie header is taken as that
of a user of custom authentication; any other one, such as an API key, as what everybody sends.

With --session the URL is that of a bulk export API, and the endpoint in the file is judged for that.

Examples:
  $ touchstone init http://127.0.0.1:2024
  $ touchstone init https://agents.example.com --header 'X-Api-Key: env:API_KEY'
  $ touchstone init https://agents.example.com --header 'Authorization: env:ALICE' --output staging.config.ts
  $ touchstone init https://traces.example.com --session 5e…01 --header 'X-API-Key: env:API_KEY' \\
      --header 'X-Tenant-Id: 7a…01'
`

interface InitOptions {
  header?: string[]
  session?: string
  output: string
  force?: true
}

/** The command `touchstone init URL`: probes a server and writes its configuration. */
export function initCommand(): Command {
  return new Command('init')
    .description('probe a server and write its touchstone.config.ts')
    .argument('<url>', 'base URL of the deployment API, or with --session of the bulk export API')
    .option('--header <header>', "sent with every request, 'Name: value' or 'Name: env:VAR' (repeatable)", collect)
    .option('--session <uuid>', 'the tracing project whose runs are exported')
    .option('--output <file>', 'file to write', 'touchstone.config.ts')
    .option('--force', 'overwrite the file')
    .addHelpText('after', help)
    .action((url: string, options: InitOptions, command: Command) => orUsageError(command, () => run(url, options)))
}

async function run(url: string, { header = [], session, output, force }: InitOptions): Promise<void> {
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new UsageError(`${url}: expected an http:// or https:// URL.`)
  }
  const headers = Object.fromEntries(header.map(parseHeader))
  const resolved = await resolveHeaders(headers, process.env, '--header')
  const { text, told } =
    session === undefined ? await deployment(url, headers, resolved) : await exporting(url, session, headers, resolved)
  try {
    await writeFile(output, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new UsageError(exists ? `${output} exists already; --force overwrites it.` : `${output} cannot be written.`)
  }
  process.stdout.write(`wrote ${output}\n${editorAdvice(output)}${told}next: npx touchstone test\n`)
}

type Headers = Readonly<Record<string, string>>

/** What is written, and what is told about it. */
interface Written {
  readonly text: string
  readonly told: string
}

async function deployment(url: string, given: Headers, resolved: Headers): Promise<Written> {
  const probed = await probeTarget(url, resolved)
  const config = configOf(url, given, probed)
  return { text: renderConfig(config), told: advice(probed, config.users !== undefined) }
}

async function exporting(url: string, session: string, given: Headers, resolved: Headers): Promise<Written> {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(session)) {
    throw new UsageError(`--session ${session}: expected the UUID of a tracing project.`)
  }
  const probed = await probeExports(url, resolved)
  if (probed === undefined) {
    throw new UsageError(`${url} answers no list to GET ${base}: give the base URL of a bulk export API.`)
  }
  const told = probed.admitted ? '' : 'The server refuses the caller: check the headers X-API-Key and X-Tenant-Id.\n'
  return { text: renderExportConfig(exportConfigOf(url, given, session)), told }
}

/** The configuration runs without the package beside it; an editor knows its types only with it. */
function editorAdvice(output: string): string {
  try {
    createRequire(resolve(output)).resolve('touchstone/package.json')
    return ''
  } catch {
    return 'For its types in an editor: npm install --save-dev touchstone\n'
  }
}

function advice({ guarded, admitted, testGraphs, others }: ProbedTarget, asUser: boolean): string {
  if (guarded && !admitted) return `The server wants credentials: fill in the users of the endpoint "custom-auth".\n`
  const users = asUser ? 'The header is taken as that of the user alice: fill in bob, another user.\n' : ''
  if (guarded && testGraphs.length + others.length === 0) return `${users}It lists no graphs: check their names.\n`
  const missing = testGraphNames.filter((graph) => !testGraphs.includes(graph))
  if (missing.length === 0) return `${users}All test graphs are deployed.\n`
  const instead = others[0] === undefined ? '' : `; checks that need no known graph run on "${others[0]}"`
  return `${users}Test graphs that are not deployed: ${missing.join(', ')}${instead}.\n`
}
