import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { argument } from '../reporters/model/shell.ts'
import { exportsPath } from '../suites/harness/export/paths.ts'
import { type ProbedTarget, probeExports, probeTarget } from '../suites/runner/probe-target.ts'
import { resolveHeaders } from '../suites/runner/secrets.ts'
import { testGraphNames } from '../suites/values/test-graphs.ts'
import { UsageError } from '../suites/values/usage-error.ts'
import { configOf, exportConfigOf, renderConfig, renderExportConfig } from './init-config.ts'
import { collect, parseHeader } from './target-options.ts'
import { orUsageError } from './usage.ts'

const help = `
Finds out which graphs the server has and whether it requires credentials, and writes a touchstone.config.ts for you to
edit. It changes nothing on the server.

If the server rejects requests without --header, and the header is Authorization or Cookie, the configuration gets a user
with custom authentication. Any other header, such as an API key, is sent with every request.

With --session, the URL is that of a bulk export API.

Examples:
  $ touchstone init http://127.0.0.1:2024
  $ touchstone init https://agents.example.com --header 'X-Api-Key: env:API_KEY'
  $ touchstone init https://agents.example.com --header 'Authorization: env:ALICE' --output staging.config.ts
  $ touchstone init https://traces.example.com --session 5e…01 --header 'X-API-Key: env:API_KEY' \\
      --header 'X-Tenant-Id: 7a…01'
`

const defaultOutput = 'touchstone.config.ts'

interface InitOptions {
  header?: string[]
  session?: string
  output: string
  force?: true
}

/** The command `touchstone init`. */
export function initCommand(): Command {
  return new Command('init')
    .description('probe a server and write its touchstone.config.ts')
    .argument('<url>', 'base URL of the LangGraph Server API, or, with --session, of the bulk export API')
    .option('--header <header>', "sent with every request, 'Name: value' or 'Name: env:VAR' (repeatable)", collect)
    .option('--session <uuid>', 'tracing project to export')
    .option('--output <file>', 'file to write', defaultOutput)
    .option('--force', 'overwrite the file')
    .addHelpText('after', help)
    .action((url: string, options: InitOptions, command: Command) => orUsageError(command, () => run(url, options)))
}

async function run(url: string, { header = [], session, output, force }: InitOptions): Promise<void> {
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new UsageError(`expected an http:// or https:// URL, received ${url}.`)
  }
  const headers = Object.fromEntries(header.map(parseHeader))
  const resolved = await resolveHeaders(headers, process.env, '--header')
  const { text, advice } =
    session === undefined
      ? await deploymentConfig(url, headers, resolved)
      : await exportConfig(url, session, headers, resolved)
  try {
    await writeFile(output, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new UsageError(
      exists ? `${output} already exists. Use --force to overwrite it.` : `${output} cannot be written.`,
    )
  }
  const config = output === defaultOutput ? '' : ` --config ${argument(output)}`
  process.stdout.write(`wrote ${output}\n${editorAdvice(output)}${advice}next: npx touchstone test${config}\n`)
}

type Headers = Readonly<Record<string, string>>

/** The text of a configuration, and advice for the user about it. */
interface ConfigText {
  readonly text: string
  readonly advice: string
}

async function deploymentConfig(url: string, headers: Headers, resolved: Headers): Promise<ConfigText> {
  const probed = await probeTarget(url, resolved)
  const config = configOf(url, headers, probed)
  return { text: renderConfig(config), advice: deploymentAdvice(probed, config.users !== undefined) }
}

async function exportConfig(url: string, session: string, headers: Headers, resolved: Headers): Promise<ConfigText> {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(session)) {
    throw new UsageError(`--session: expected the UUID of a tracing project, received ${session}.`)
  }
  const probed = await probeExports(url, resolved)
  if (probed === undefined) {
    throw new UsageError(
      `expected a JSON list from GET ${exportsPath}, received something else from ${url}. Give the base URL of a bulk export API.`,
    )
  }
  const advice = probed.admitted
    ? ''
    : 'The server rejects the credentials: check the headers X-API-Key and X-Tenant-Id.\n'
  return { text: renderExportConfig(exportConfigOf(url, headers, session)), advice }
}

/** A configuration works without the package in the project, but then an editor does not know its types. */
function editorAdvice(output: string): string {
  try {
    createRequire(resolve(output)).resolve('touchstone/package.json')
    return ''
  } catch {
    return 'For its types in an editor: npm install --save-dev touchstone\n'
  }
}

function deploymentAdvice({ guarded, admitted, testGraphs, others }: ProbedTarget, asUser: boolean): string {
  if (guarded && !admitted) return `The server requires credentials: fill in the users of the endpoint "custom-auth".\n`
  const users = asUser ? 'The header became that of the user alice: fill in the header of another user, bob.\n' : ''
  if (guarded && testGraphs.length + others.length === 0)
    return `${users}The server lists no graphs: check their names.\n`
  const missing = testGraphNames.filter((graph) => !testGraphs.includes(graph))
  if (missing.length === 0) return `${users}All test graphs are deployed.\n`
  const instead = others[0] === undefined ? '' : `; checks that do not need a test graph use "${others[0]}"`
  return `${users}Test graphs that are not deployed: ${missing.join(', ')}${instead}.\n`
}
