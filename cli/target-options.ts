import type { Command } from 'commander'
import { environmentName } from '../reporters/model/shell.ts'
import type { Manifest, TargetEndpoint } from '../suites/harness/manifest.ts'
import { findManifest, loadManifest, resolveManifest, validateManifest } from '../suites/runner/manifest-file.ts'
import { isSecretHeader } from '../suites/trace/redact.ts'
import { testGraphNames } from '../suites/values/test-graphs.ts'
import { UsageError } from '../suites/values/usage-error.ts'
import { wholeNumber } from './usage.ts'

/** The options that describe the target. */
export interface TargetOptions {
  deploymentUrl?: string
  exportUrl?: string
  session?: string
  window?: string
  config?: string
  header?: string[]
  graph?: string
  concurrency?: string
  /** Seconds. */
  wait?: number
}

/** Adds the options that describe the target. */
export function withTargetOptions(command: Command): Command {
  const withUrls = command
    .optionsGroup('Target:')
    .option('--deployment-url <url>', 'base URL of the LangGraph Server API; becomes the endpoint "open"')
  return withConfiguration(withUrls)
    .option('--graph <name>', 'any deployed graph, if the test graphs are not deployed; fewer checks run')
    .option('--concurrency <n>', 'maximum number of concurrent checks')
}

/** Adds the options for the bulk export API of an earlier run. */
export function withEndpointOptions(command: Command): Command {
  return withConfiguration(
    command.option('--export-url <url>', 'base URL of the bulk export API, as in the earlier run'),
  )
}

function withConfiguration(command: Command): Command {
  return command
    .option(
      '--config <file>',
      'configuration of the target (default: touchstone.config.{ts,mts,mjs,js,json} in the working directory)',
    )
    .option(
      '--header <header>',
      "sent with every request, 'Name: value', 'Name: env:VAR' or 'Name: file:PATH' (repeatable)",
      collect,
    )
}

/** The target in the options and the configuration file, with resolved secrets. */
export async function readTarget(options: TargetOptions, env: NodeJS.ProcessEnv): Promise<Manifest> {
  const declared = await declaredTarget(options)
  if (declared !== undefined) return resolveManifest(declared, env)
  throw new UsageError(
    'expected a target, received none. Give --deployment-url URL, or --export-url URL with --session UUID, or write a touchstone.config.ts with "npx touchstone init URL" (for a bulk export API: "npx touchstone init URL --session UUID").',
  )
}

/** The target in the options and the configuration file, with references to secrets; undefined if there is none. */
export async function declaredTarget(options: TargetOptions): Promise<Manifest | undefined> {
  const hasUrl = options.deploymentUrl !== undefined || options.exportUrl !== undefined
  const file = options.config ?? (hasUrl ? undefined : findManifest(process.cwd()))
  if (file === undefined && !hasUrl) return undefined
  const manifest = file === undefined ? { endpoints: {} } : await loadManifest(file)
  return validateManifest(merge(manifest, options), 'the command line')
}

function merge(manifest: Manifest, options: TargetOptions): Manifest {
  const endpoints = { ...manifest.endpoints }
  if (options.deploymentUrl !== undefined) {
    checkUrl('--deployment-url', options.deploymentUrl)
    endpoints['open'] = { ...endpoints['open'], url: options.deploymentUrl }
  }
  if (options.exportUrl !== undefined) {
    checkUrl('--export-url', options.exportUrl)
    endpoints['export'] = exportEndpoint(endpoints['export'], options.exportUrl, options)
  } else if ((options.session ?? options.window) !== undefined) {
    const option = options.session === undefined ? '--window' : '--session'
    throw new UsageError(`\`${option}\` requires \`--export-url\`.`)
  }
  const headers = Object.fromEntries((options.header ?? []).map(parseHeader))
  for (const [name, endpoint] of Object.entries(endpoints)) {
    endpoints[name] = { ...endpoint, headers: { ...endpoint.headers, ...headers } }
  }
  return {
    ...manifest,
    endpoints,
    ...(options.graph === undefined ? {} : graphNamed(options.graph, manifest)),
    ...(options.wait === undefined ? {} : { budgets: { ...manifest.budgets, readyMs: options.wait * 1000 } }),
    ...(options.concurrency === undefined ? {} : { concurrency: wholeNumber('--concurrency', options.concurrency) }),
  }
}

/** A test graph keeps what is known about it; of any other graph, only that it accepts messages is known. */
function graphNamed(name: string, { graphs }: Manifest): Pick<Manifest, 'graph' | 'graphs'> {
  return testGraphNames.some((graph) => graph === name) ? { graphs: { ...graphs, [name]: name } } : { graph: name }
}

function checkUrl(option: string, url: string): void {
  if (!/^https?:\/\/./.test(url))
    throw new UsageError(`${option}: expected an http:// or https:// URL, received ${url}.`)
}

function exportEndpoint(
  declared: TargetEndpoint | undefined,
  url: string,
  { session, window }: TargetOptions,
): TargetEndpoint {
  const project = session ?? declared?.export?.session
  if (project === undefined) {
    throw new UsageError('`--export-url` requires `--session UUID`, the tracing project to export.')
  }
  const times = window === undefined ? {} : { window: parseWindow(window) }
  return { ...declared, url, export: { ...declared?.export, session: project, ...times } }
}

function parseWindow(text: string): { start: string; end: string } {
  const [start = '', end = '', ...more] = text.split('/')
  if (start !== '' && end !== '' && more.length === 0) return { start, end }
  throw new UsageError(
    `--window: expected START/END such as 2026-01-01T00:00:00Z/2026-01-04T00:00:00Z, received ${text}.`,
  )
}

/** Returns the options that describe the target, to give them again. A secret becomes a reference to a variable. */
export function repeatedOptions({ header = [], ...options }: TargetOptions & { bucket?: string }): string[] {
  const { deploymentUrl, exportUrl, session, window, config, graph, concurrency, bucket } = options
  const values = {
    config,
    'deployment-url': deploymentUrl,
    'export-url': exportUrl,
    session,
    window,
    bucket: bucket === 'embedded' ? undefined : bucket,
    graph,
    concurrency,
  }
  return [
    ...Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...header.map(parseHeader).flatMap(([name, value]) => ['--header', `${name}: ${withoutSecret(name, value)}`]),
  ]
}

function withoutSecret(name: string, value: string): string {
  return isSecretHeader(name, value) && !/^(env|file):/.test(value) ? `env:${environmentName(name)}` : value
}

/** Splits `Name: value`. */
export function parseHeader(text: string): [string, string] {
  const colon = text.indexOf(':')
  const name = text.slice(0, colon).trim()
  // The value can be a secret, so the message does not include it.
  if (colon < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new UsageError("--header: expected 'Name: value'.")
  return [name, text.slice(colon + 1).trim()]
}

/** Collects the values of a repeatable option. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value]
}
