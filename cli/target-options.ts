import type { Command } from 'commander'
import type { Manifest } from '../suites/harness/manifest.ts'
import { findManifest, loadManifest, resolveManifest, validateManifest } from '../suites/runner/manifest-file.ts'
import { UsageError } from '../suites/runner/usage-error.ts'
import { resolveOwnName } from './own-name.ts'
import { wholeNumber } from './usage.ts'

/** The options that say what is tested. */
export interface TargetOptions {
  deploymentUrl?: string
  exportUrl?: string
  config?: string
  header?: string[]
  graph?: string
  concurrency?: string
}

/** Adds the options that say what is tested. */
export function withTargetOptions(command: Command): Command {
  return command
    .option('--deployment-url <url>', 'base URL of the deployment API, taken as the endpoint "open"')
    .option('--export-url <url>', 'base URL of the bulk export API (its suites are not part of this version)')
    .option('--config <file>', 'configuration of the target (default: touchstone.config.{ts,mjs,js,json} here)')
    .option(
      '--header <header>',
      "sent with every request, 'Name: value', 'Name: env:VAR' or 'Name: file:PATH' (repeatable)",
      collect,
    )
    .option('--graph <name>', 'any deployed graph: only checks that need no graph of the kit run (black-box mode)')
    .option('--concurrency <n>', 'checks that run side by side')
}

/** The target that the options and the configuration file describe, secrets resolved. */
export async function readTarget(options: TargetOptions, env: NodeJS.ProcessEnv): Promise<Manifest> {
  if (options.exportUrl !== undefined) {
    throw new UsageError(
      '--export-url: the suites of the bulk export API are not part of this version; leave the option out.',
    )
  }
  const file = options.config ?? (options.deploymentUrl === undefined ? await findManifest(process.cwd()) : undefined)
  if (file === undefined && options.deploymentUrl === undefined) {
    throw new UsageError(
      'no target: give --deployment-url URL, or write a touchstone.config.ts with "npx touchstone init URL".',
    )
  }
  resolveOwnName()
  const manifest = file === undefined ? { endpoints: {} } : await loadManifest(file)
  return resolveManifest(validateManifest(merge(manifest, options), 'the command line'), env)
}

function merge(manifest: Manifest, options: TargetOptions): Manifest {
  if (options.deploymentUrl !== undefined && !/^https?:\/\/./.test(options.deploymentUrl)) {
    throw new UsageError(`--deployment-url ${options.deploymentUrl}: expected an http:// or https:// URL.`)
  }
  const endpoints = { ...manifest.endpoints }
  if (options.deploymentUrl !== undefined) endpoints['open'] = { ...endpoints['open'], url: options.deploymentUrl }
  const headers = Object.fromEntries((options.header ?? []).map(parseHeader))
  for (const [name, endpoint] of Object.entries(endpoints)) {
    endpoints[name] = { ...endpoint, headers: { ...endpoint.headers, ...headers } }
  }
  return {
    ...manifest,
    endpoints,
    ...(options.graph === undefined ? {} : { graph: options.graph }),
    ...(options.concurrency === undefined ? {} : { concurrency: wholeNumber('--concurrency', options.concurrency) }),
  }
}

/** Splits `Name: value`. */
export function parseHeader(text: string): [string, string] {
  const colon = text.indexOf(':')
  const name = text.slice(0, colon).trim()
  // The value may be a secret: it is not repeated.
  if (colon < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new UsageError("--header: expected 'Name: value'.")
  return [name, text.slice(colon + 1).trim()]
}

/** Collects the values of an option that may be given more than once. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value]
}
