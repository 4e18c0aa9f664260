import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../harness/errors.ts'
import {
  defaultBudgets,
  type ExportDeclaration,
  type Manifest,
  type TargetEndpoint,
  type TargetUser,
} from '../harness/manifest.ts'
import type { TargetManifest } from '../harness/session.ts'
import { importUserModule } from '../harness/user-modules.ts'
import { testGraphNames } from '../values/test-graphs.ts'
import { UsageError } from '../values/usage-error.ts'
import { manifestProblems } from './manifest-problems.ts'
import { resolveHeaders } from './secrets.ts'

const headers = z.record(z.string(), z.string())
const user = z.strictObject({
  headers,
  identity: z.string().exactOptional(),
  fields: z.record(z.string(), z.unknown()).exactOptional(),
})
const url = z
  .url({ protocol: /^https?$/, error: 'expected an http:// or https:// URL' })
  // It would be in every report.
  .refine((text) => !/^https?:\/\/[^/]*@/.test(text), 'expected a URL without a password, which belongs into headers')
const graphName = z.union([z.string().min(1), z.literal(false)]).exactOptional()
const most = z.int().min(0).exactOptional()
const milliseconds = z.number().positive().exactOptional()

const words = z.array(z.string().min(1))
const uuid = z.guid({ error: 'expected a UUID' })
const time = z.iso.datetime({ offset: true, error: 'expected an ISO 8601 time with a zone' })
const version = z.string().regex(/^v?\d+(\.\d+)*/, { error: 'expected a version such as 0.12.42' })

const window = z
  .strictObject({ start: time, end: time })
  .refine(({ start, end }) => Date.parse(start) < Date.parse(end), 'expected a start before the end')
  .refine(
    ({ end }) => Date.parse(end) <= Date.now(),
    'expected an end in the past, because runs may still be added to a later window',
  )

const exportDeclaration = z.strictObject({
  session: uuid,
  window: window.exactOptional(),
  other: z.strictObject({ headers, session: uuid }).exactOptional(),
  lowerPlan: z.strictObject({ headers }).exactOptional(),
  selfHosted: z
    .strictObject({ appVersion: version, chartVersion: version, ambientCredentials: z.boolean().exactOptional() })
    .exactOptional(),
  statuses: z.strictObject({ ended: words.exactOptional(), failed: words.exactOptional() }).exactOptional(),
  driver: z.union([z.string().min(1), z.strictObject({ url, headers: headers.exactOptional() })]).exactOptional(),
})

const manifestSchema: z.ZodType<Manifest> = z.strictObject({
  name: z.string().exactOptional(),
  version: z.string().exactOptional(),
  endpoints: z
    .record(
      z.string(),
      z
        .strictObject({
          url,
          headers: headers.exactOptional(),
          auth: z.enum(['open', 'custom-auth']).exactOptional(),
          users: z.strictObject({ alice: user, bob: user, studio: user.exactOptional() }).exactOptional(),
          invalid: z.strictObject({ headers }).exactOptional(),
          refusalDetail: z.string().exactOptional(),
          export: exportDeclaration.exactOptional(),
        })
        .refine(
          (endpoint) => endpoint.export === undefined || (endpoint.auth ?? endpoint.users) === undefined,
          'expected either `export` or `auth` and `users`, because an endpoint belongs to one API; declare two endpoints',
        )
        .refine(
          ({ auth, users }) => auth !== 'custom-auth' || users !== undefined,
          'expected users.alice and users.bob with the profile custom-auth; add them',
        ),
    )
    .refine((endpoints) => Object.keys(endpoints).length > 0, 'expected at least one endpoint')
    .refine(
      (endpoints) => endpoints['custom-auth'] === undefined || endpoints['custom-auth'].users !== undefined,
      'expected users.alice and users.bob in endpoints.custom-auth; add them, or rename the endpoint to "open"',
    ),
  graphs: z.strictObject(Object.fromEntries(testGraphNames.map((name) => [name, graphName]))).exactOptional(),
  graph: z.string().exactOptional(),
  concurrency: z.int().min(1).max(256).exactOptional(),
  budgets: z
    .strictObject(Object.fromEntries(Object.keys(defaultBudgets).map((name) => [name, milliseconds])))
    .exactOptional(),
  limits: z.strictObject({ exports: most, schedules: most }).exactOptional(),
  accept: z.record(z.string(), z.string()).exactOptional(),
  baseline: z.string().exactOptional(),
})

/** Names of configuration files that are found by default. */
const defaultNames = ['ts', 'mts', 'mjs', 'js', 'json'].map((ending) => `touchstone.config.${ending}`)

/** Returns the configuration file in a folder, or undefined if there is none. */
export function findManifest(folder: string): string | undefined {
  return defaultNames.map((name) => resolve(folder, name)).find((file) => existsSync(file))
}

/**
 * Loads a configuration file: JSON, or a module whose default export is the configuration. Does not resolve secrets.
 *
 * @throws UsageError if the file cannot be loaded or is not valid
 */
export async function loadManifest(file: string): Promise<Manifest> {
  if (!existsSync(file)) {
    throw new UsageError(
      `the configuration file ${file} does not exist. Create one with "npx touchstone init URL", or set --config to another file.`,
    )
  }
  const value = file.endsWith('.json') ? await readJson(file) : await importDefault(file)
  return validateManifest(value, file, await readFile(file, 'utf8'))
}

/**
 * Validates a configuration. `text` is that of its file.
 *
 * @throws UsageError that lists every problem with its key, and its line in the text
 */
export function validateManifest(value: unknown, source: string, text?: string): Manifest {
  const parsed = manifestSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UsageError(
    `${source} is not a valid configuration:\n${manifestProblems(parsed.error, manifestSchema, text)}`,
  )
}

/** Replaces `env:NAME` and `file:PATH` with the secrets they refer to. */
export async function resolveManifest(manifest: Manifest, env: NodeJS.ProcessEnv): Promise<TargetManifest> {
  const secrets = new Set<string>()
  const resolveAt: Resolve = (headers, where) => resolveHeaders(headers, env, `endpoints.${where}.headers:`, secrets)
  const endpoints: Record<string, TargetEndpoint> = {}
  for (const [name, endpoint] of Object.entries(manifest.endpoints)) {
    const resolved = async (given: TargetUser, key: string): Promise<TargetUser> => ({
      ...given,
      headers: await resolveAt(given.headers, `${name}.${key}`),
    })
    const { users, invalid } = endpoint
    endpoints[name] = {
      ...endpoint,
      headers: await resolveAt(endpoint.headers ?? {}, name),
      ...(users && {
        users: {
          alice: await resolved(users.alice, 'users.alice'),
          bob: await resolved(users.bob, 'users.bob'),
          ...(users.studio && { studio: await resolved(users.studio, 'users.studio') }),
        },
      }),
      ...(invalid && { invalid: await resolved(invalid, 'invalid') }),
      ...(endpoint.export && { export: await resolveExport(endpoint.export, resolveAt, `${name}.export`) }),
    }
  }
  return { ...manifest, endpoints, secrets: [...secrets] }
}

/** Resolves the values of headers. `where` names their place in the endpoints. */
type Resolve = (headers: Readonly<Record<string, string>>, where: string) => Promise<Record<string, string>>

async function resolveExport(
  declared: ExportDeclaration,
  resolveAt: Resolve,
  where: string,
): Promise<ExportDeclaration> {
  const { other, lowerPlan, driver } = declared
  const resolved = (of: Readonly<Record<string, string>>, key: string) => resolveAt(of, `${where}.${key}`)
  return {
    ...declared,
    ...(other && { other: { ...other, headers: await resolved(other.headers, 'other') } }),
    ...(lowerPlan && { lowerPlan: { headers: await resolved(lowerPlan.headers, 'lowerPlan') } }),
    ...(typeof driver === 'string' && { driver: resolve(driver) }),
    ...(typeof driver === 'object' && {
      driver: { ...driver, headers: await resolved(driver.headers ?? {}, 'driver') },
    }),
  }
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`expected JSON in ${file}, received invalid JSON: ${messageOf(error)}`)
  }
}

async function importDefault(file: string): Promise<unknown> {
  try {
    const { default: declared } = await importUserModule(resolve(file))
    if (declared !== undefined) return declared
  } catch (error) {
    const syntax = error instanceof Error && 'code' in error && error.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'
    const hint = syntax ? ' Node only strips types: remove enums, namespaces and parameter properties.' : ''
    throw new UsageError(`${file} cannot be loaded: ${messageOf(error)}.${hint}`)
  }
  throw new UsageError(
    `expected a default export in ${file}, received none. Add "export default defineTarget({ endpoints: { … } })".`,
  )
}
