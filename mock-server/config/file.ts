import { z } from 'zod'
import { describeIssues, strictObject } from '../http/validation.ts'
import { ConfigurationError } from './errors.ts'
import { readJsonFile } from './json-file.ts'

/** The content of a deployment configuration file. */
export interface ConfigurationFile {
  readonly dependencies?: readonly string[] | undefined
  readonly graphs: Readonly<Record<string, string>>
  readonly env?: string | Readonly<Record<string, string>> | undefined
  readonly auth?: { readonly path: string; readonly disable_studio_auth?: boolean | undefined } | undefined
}

// Public keys that only affect the build of an image. They are ignored.
const BUILD_KEYS = [
  '$schema',
  'api_version',
  'base_image',
  'dockerfile_lines',
  'image_distro',
  'node_version',
  'pip_config_file',
  'pip_installer',
  'python_version',
] as const

const KNOWN_KEYS = 'dependencies, graphs, env and auth'

const variableReference = z.string().regex(/^.+:[^:/\\]+$/, { error: 'expected "./path/to/module.ts:variable"' })

const fileSchema: z.ZodType<ConfigurationFile> = strictObject({
  dependencies: z.array(z.string(), { error: 'expected an array of paths or package names' }).optional(),
  graphs: z
    .record(z.string().min(1), variableReference, { error: 'expected an object of graph names and "./path:variable"' })
    .refine((graphs) => Object.keys(graphs).length > 0, { error: 'expected at least one graph' }),
  env: z
    .union([z.string(), z.record(z.string(), z.string())], {
      error: 'expected the path of a file, or an object of names and strings',
    })
    .optional(),
  auth: strictObject({ path: variableReference, disable_studio_auth: z.boolean().optional() }).optional(),
  ...Object.fromEntries(BUILD_KEYS.map((key) => [key, z.unknown().optional()])),
})

/** Reads and checks a configuration file. Throws ConfigurationError. */
export async function readConfigurationFile(path: string): Promise<ConfigurationFile> {
  const value = await readJsonFile(path, 'The deployment configuration', `a JSON file with the keys ${KNOWN_KEYS}`)
  const result = fileSchema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.flatMap(issuesOfValues).map((issue) =>
    issue.code === 'unrecognized_keys'
      ? unknownKeys(issue.path, issue.keys)
      : describeIssues([issue], value, 'The file')
          .map(({ sentence }) => sentence)
          .join('; '),
  )
  throw new ConfigurationError(`The deployment configuration ${path} cannot be used. ${problems.join('. ')}`)
}

/** Replaces the issue of a union, which only `env` has, by those of its invalid values, so that the error names them. */
function issuesOfValues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const nested = issue.errors.flat().filter(({ path }) => path.length > 0)
  return nested.length === 0 ? [issue] : nested.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

function unknownKeys(path: readonly PropertyKey[], keys: readonly string[]): string {
  const where = path.length === 0 ? 'the file' : JSON.stringify(path.map(String).join('.'))
  const known = path.length === 0 ? KNOWN_KEYS : 'path and disable_studio_auth'
  return `Unknown ${keys.map((key) => JSON.stringify(key)).join(', ')} in ${where}: expected ${known}`
}
