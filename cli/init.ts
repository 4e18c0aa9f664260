import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { kitGraphs } from '../suites/harness/kit.ts'
import { isSensitiveHeader } from '../suites/harness/redact.ts'
import { type ProbedTarget, probeTarget } from '../suites/runner/probe-target.ts'
import { resolveHeaders } from '../suites/runner/secrets.ts'
import { UsageError } from '../suites/runner/usage-error.ts'
import { collect, parseHeader } from './target-options.ts'
import { orUsageError } from './usage.ts'

const help = `
Asks the server which graphs it runs and whether it wants credentials, and writes touchstone.config.ts: a starting
point to edit. Nothing is changed on the server.

Examples:
  $ touchstone init http://127.0.0.1:2024
  $ touchstone init https://agents.example.com --header 'X-Api-Key: env:API_KEY'
`

interface InitOptions {
  header: string[]
  output: string
  force?: true
}

/** The command `touchstone init URL`: probes a server and writes its configuration. */
export function initCommand(): Command {
  return new Command('init')
    .description('probe a server and write its touchstone.config.ts')
    .argument('<url>', 'base URL of the deployment API')
    .option('--header <header>', "sent with every request, 'Name: value' or 'Name: env:VAR'", collect, [])
    .option('--output <file>', 'file to write', 'touchstone.config.ts')
    .option('--force', 'overwrite the file')
    .addHelpText('after', help)
    .action((url: string, options: InitOptions, command: Command) => orUsageError(command, () => run(url, options)))
}

async function run(url: string, { header, output, force }: InitOptions): Promise<void> {
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageError(`${url}: expected an http:// or https:// URL.`)
  const headers = Object.fromEntries(header.map(parseHeader))
  const probed = await probeTarget(url, await resolveHeaders(headers, process.env, '--header'))
  try {
    await writeFile(output, renderConfig(url, withoutSecrets(headers), probed), { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new UsageError(exists ? `${output} exists already; --force overwrites it.` : `${output} cannot be written.`)
  }
  process.stdout.write(`wrote ${output}\n${advice(probed)}next: npx touchstone test\n`)
}

/** A value that may be a secret is never written down: the variable to set is. */
function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const reference = value.startsWith('env:') || value.startsWith('file:')
      return [name, reference || !isSensitiveHeader(name) ? value : `env:${name.replaceAll('-', '_').toUpperCase()}`]
    }),
  )
}

function advice({ guarded, kit, others }: ProbedTarget): string {
  if (guarded) return 'The server wants credentials: fill in the users of the endpoint "custom-auth".\n'
  const missing = kitGraphs.filter((graph) => !kit.includes(graph))
  if (missing.length === 0) return 'The whole graph kit is deployed.\n'
  const instead = others[0] === undefined ? '' : `; checks that need no known graph run on "${others[0]}"`
  return `Not deployed from the graph kit: ${missing.join(', ')}${instead}.\n`
}

function renderConfig(
  url: string,
  headers: Readonly<Record<string, string>>,
  { guarded, kit, others }: ProbedTarget,
): string {
  const shared = Object.keys(headers).length > 0 ? `\n      headers: ${literal(headers)},` : ''
  const users = `
      // Two end users whose resources must stay apart, and credentials that are refused.
      users: {
        alice: { headers: { authorization: 'env:ALICE_AUTHORIZATION' }, identity: 'alice' },
        bob: { headers: { authorization: 'env:BOB_AUTHORIZATION' }, identity: 'bob' },
      },
      invalid: { headers: { authorization: 'Bearer of-no-user' } },`
  const graphs = kitGraphs
    .map((graph) => `${graph}: ${kit.includes(graph) || guarded ? literal(graph) : 'false'}`)
    .join(', ')
  const blackBox =
    !guarded && !kit.includes('echo') && others[0] !== undefined ? `\n  graph: ${literal(others[0])},` : ''
  return `import { defineTarget } from 'touchstone'

export default defineTarget({
  endpoints: {
    ${guarded ? "'custom-auth'" : 'open'}: {
      url: ${literal(url)},${shared}${guarded ? users : ''}
    },
  },
  // Under which name each graph of the kit is deployed; false where it is not.
  graphs: { ${graphs} },${blackBox}
})
`
}

function literal(value: unknown): string {
  return JSON.stringify(value)
}
