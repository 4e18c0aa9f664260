import { type Command, InvalidArgumentError, Option } from 'commander'
import { checkExportOptions } from '../mock-server/export/check-options.ts'
import { isVersion } from '../mock-server/export/features.ts'
import type { ApiKey } from '../mock-server/export/keys.ts'
import type { ExportOptions, TraceProject } from '../mock-server/export/options.ts'
import { resolveSecret } from '../suites/runner/secrets.ts'
import { UsageError } from '../suites/values/usage-error.ts'

/** The options of `touchstone serve` for the bulk export API. */
export interface ExportFlags {
  selfHosted?: true
  appVersion?: string
  chartVersion?: string
  state?: string
  exportKeys?: string
  encryptionKey?: string
  refusePrivateAddresses?: true
  traceProject?: TraceProject
  bucket?: 'embedded'
}

export const exportHelp = `
The bulk export API is under /api/v1/bulk-exports. It accepts the test keys touchstone-enterprise, touchstone-plus and
touchstone-developer (docs/guides/mock-server.md lists their workspaces). To use other keys, set --export-keys to JSON:
[{ "key": "…", "tenants": ["<UUID>"], "plan": "developer" | "plus" | "enterprise" }].
`

/** Adds the options of the bulk export API to a command. */
export function withExportOptions(command: Command): Command {
  return command
    .option(
      '--state <folder>',
      'store destinations, exports and trace records there, and continue with them after a restart',
    )
    .option('--export-keys <secret>', 'API keys of the bulk export API; env:NAME or file:PATH')
    .option('--encryption-key <secret>', 'key that encrypts bucket credentials; env:NAME or file:PATH')
    .option('--refuse-private-addresses', 'reject destinations at loopback, link-local and local network addresses')
    .addOption(
      new Option(
        '--bucket <kind>',
        'start a store for exports in this process, and print its address and keys; without it, destinations need a store of your own',
      )
        .choices(['embedded'])
        // The store is on the loopback interface.
        .conflicts('refusePrivateAddresses'),
    )
    .option(
      '--trace-project <workspace/project>',
      'project that gets the trace records of runs; two UUIDs',
      traceProject,
    )
    .option('--self-hosted', 'behave like a self-hosted installation')
    .addOption(new Option('--app-version <version>', 'application version of the installation').argParser(version))
    .addOption(new Option('--chart-version <version>', 'chart version of the installation').argParser(version))
}

/** Converts the options of the command line. Throws UsageError. */
export async function exportOptions(flags: ExportFlags): Promise<ExportOptions> {
  const { selfHosted, appVersion, chartVersion, state, traceProject } = flags
  if (!selfHosted && (appVersion ?? chartVersion) !== undefined) {
    throw new UsageError('`--app-version` and `--chart-version` require `--self-hosted`')
  }
  const encryptionKey = await secret(flags.encryptionKey, '--encryption-key')
  const keys = await secret(flags.exportKeys, '--export-keys')
  const options: ExportOptions = {
    ...(selfHosted && { selfHosted, appVersion, chartVersion }),
    ...(state !== undefined && { state }),
    ...(encryptionKey !== undefined && { encryptionKey }),
    ...(keys !== undefined && { keys: parseKeys(keys) }),
    ...(flags.refusePrivateAddresses && { privateAddresses: 'refuse' }),
    ...(traceProject !== undefined && { traceProject }),
  }
  try {
    checkExportOptions(options)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  return options
}

async function secret(text: string | undefined, option: string): Promise<string | undefined> {
  if (text === undefined) return undefined
  if (!/^(?:env|file):/.test(text)) {
    throw new UsageError(`${option}: expected env:NAME or file:PATH, because other users can read the command line`)
  }
  return resolveSecret(text, process.env, option)
}

function parseKeys(text: string): readonly ApiKey[] {
  const expected = '--export-keys: expected JSON such as [{ "key": "…", "tenants": ["<UUID>"], "plan": "enterprise" }]'
  let keys: unknown
  try {
    keys = JSON.parse(text)
  } catch {
    throw new UsageError(`${expected}, received a text that is not valid JSON`)
  }
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'object' && key !== null)) {
    throw new UsageError(`${expected}, received another JSON value`)
  }
  return keys
}

function version(text: string): string {
  if (isVersion(text)) return text
  throw new InvalidArgumentError('Expected a version such as 0.12.42.')
}

function traceProject(text: string): TraceProject {
  const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
  const [, tenantId, sessionId] = new RegExp(`^(${uuid})/(${uuid})$`).exec(text) ?? []
  if (tenantId !== undefined && sessionId !== undefined) return { tenantId, sessionId }
  throw new InvalidArgumentError('Expected two UUIDs with a slash between: workspace/project.')
}
