import { access, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { ExportDeclaration, Manifest, TargetEndpoint, TargetUser } from '../harness/manifest.ts'
import { importUserModule } from '../harness/user-modules.ts'
import { resolveHeaders } from './secrets.ts'
import { UsageError } from './usage-error.ts'

const headers = z.record(z.string(), z.string())
const user = z.strictObject({
  headers,
  identity: z.string().exactOptional(),
  fields: z.record(z.string(), z.unknown()).exactOptional(),
})
const url = z.url({ protocol: /^https?$/, error: 'expected an http:// or https:// URL' })
const graphName = z.union([z.string().min(1), z.literal(false)]).exactOptional()
const most = z.int().min(0).exactOptional()
const milliseconds = z.number().positive().exactOptional()

const uuid = z.guid({ error: 'expected a UUID' })
const time = z.iso.datetime({ offset: true, error: 'expected an ISO 8601 time with a zone' })
const version = z.string().regex(/^v?\d+(\.\d+)*/, { error: 'expected a version such as 0.12.42' })

const window = z
  .strictObject({ start: time, end: time })
  .refine(({ start, end }) => Date.parse(start) < Date.parse(end), 'expected a start before the end')
  .refine(({ end }) => Date.parse(end) <= Date.now(), 'expected an end in the past: later runs may still come')

const exportDeclaration = z.strictObject({
  session: uuid,
  window: window.exactOptional(),
  other: z.strictObject({ headers, session: uuid }).exactOptional(),
  lowerPlan: z.strictObject({ headers }).exactOptional(),
  selfHosted: z
    .strictObject({ appVersion: version, chartVersion: version, ambientCredentials: z.boolean().exactOptional() })
    .exactOptional(),
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
          'an endpoint with `export` is judged for the bulk export API alone; declare another one for `auth` and `users`',
        )
        .refine(
          ({ auth, users }) => auth !== 'custom-auth' || users !== undefined,
          'custom-auth needs users.alice and users.bob',
        ),
    )
    .refine((endpoints) => Object.keys(endpoints).length > 0, 'expected at least one endpoint')
    .refine(
      (endpoints) => endpoints['custom-auth'] === undefined || endpoints['custom-auth'].users !== undefined,
      'endpoints.custom-auth needs users.alice and users.bob; add them, or name the endpoint "open"',
    ),
  graphs: z
    .strictObject({
      echo: graphName,
      slow: graphName,
      tools: graphName,
      fail: graphName,
      whoami: graphName,
      chat: graphName,
    })
    .exactOptional(),
  graph: z.string().exactOptional(),
  concurrency: z.int().min(1).max(256).exactOptional(),
  budgets: z
    .strictObject({
      waitMs: milliseconds,
      slowMs: milliseconds,
      pollMs: milliseconds,
      readyMs: milliseconds,
      exportMs: milliseconds,
      lateMs: milliseconds,
    })
    .exactOptional(),
  limits: z.strictObject({ exports: most, schedules: most }).exactOptional(),
  accept: z.record(z.string(), z.string()).exactOptional(),
  baseline: z.string().exactOptional(),
})

/** The names that are looked for when no configuration is given. */
const defaultNames = ['ts', 'mts', 'mjs', 'js', 'json'].map((ending) => `touchstone.config.${ending}`)

/** The configuration file in a folder, or undefined where there is none. */
export async function findManifest(folder: string): Promise<string | undefined> {
  for (const name of defaultNames) {
    const file = resolve(folder, name)
    if (await exists(file)) return file
  }
  return undefined
}

/** Loads a target's configuration: a module whose default export is a manifest, or JSON. Secrets are not resolved yet. */
export async function loadManifest(file: string): Promise<Manifest> {
  if (!(await exists(file))) {
    throw new UsageError(
      `the configuration ${file} does not exist; "npx touchstone init URL" writes one, and --config FILE names it.`,
    )
  }
  return validateManifest(file.endsWith('.json') ? await readJson(file) : await importDefault(file), file)
}

/** Checks what a manifest says; every problem is named with its key. */
export function validateManifest(value: unknown, source: string): Manifest {
  const parsed = manifestSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UsageError(`${source} does not describe a target:\n${z.prettifyError(parsed.error)}`)
}

/** Replaces `env:` and `file:` by what they stand for. */
export async function resolveManifest(manifest: Manifest, env: NodeJS.ProcessEnv): Promise<Manifest> {
  const endpoints: Record<string, TargetEndpoint> = {}
  for (const [name, endpoint] of Object.entries(manifest.endpoints)) {
    const resolved = async (given: TargetUser, key: string): Promise<TargetUser> => ({
      ...given,
      headers: await resolveHeaders(given.headers, env, `endpoints.${name}.${key}.headers:`),
    })
    const { users, invalid } = endpoint
    endpoints[name] = {
      ...endpoint,
      headers: await resolveHeaders(endpoint.headers ?? {}, env, `endpoints.${name}.headers:`),
      ...(users && {
        users: {
          alice: await resolved(users.alice, 'users.alice'),
          bob: await resolved(users.bob, 'users.bob'),
          ...(users.studio && { studio: await resolved(users.studio, 'users.studio') }),
        },
      }),
      ...(invalid && { invalid: await resolved(invalid, 'invalid') }),
      ...(endpoint.export && { export: await resolveExport(endpoint.export, env, `endpoints.${name}.export`) }),
    }
  }
  return { ...manifest, endpoints }
}

async function resolveExport(
  declared: ExportDeclaration,
  env: NodeJS.ProcessEnv,
  where: string,
): Promise<ExportDeclaration> {
  const { other, lowerPlan, driver } = declared
  const resolved = (of: Readonly<Record<string, string>>, key: string) =>
    resolveHeaders(of, env, `${where}.${key}.headers:`)
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

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : error}`)
  }
}

async function importDefault(file: string): Promise<unknown> {
  try {
    const { default: declared } = await importUserModule(resolve(file))
    if (declared !== undefined) return declared
  } catch (error) {
    const syntax = error instanceof Error && 'code' in error && error.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'
    const hint = syntax ? ' Types are only stripped: use no enum, namespace or parameter property.' : ''
    throw new UsageError(`${file} cannot be loaded: ${error instanceof Error ? error.message : error}.${hint}`)
  }
  throw new UsageError(`${file} has no default export; expected "export default defineTarget({ endpoints: { … } })".`)
}
