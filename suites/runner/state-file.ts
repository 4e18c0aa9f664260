import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Leftover } from '../harness/export/leftovers.ts'
import type { Manifest } from '../harness/manifest.ts'
import type { StartedByEndpoint } from './start-schedules.ts'
import { UsageError } from './usage-error.ts'

/** Leftover resources and scheduled exports of a test run, for a later one. Contains no secrets. */
export interface State {
  readonly touchstone: 'state'
  /** Version of the format. */
  readonly version: 1
  /** ISO 8601. */
  readonly writtenAt: string
  /** Endpoints of the run by their names in the configuration: URL and tracing project. */
  readonly endpoints: Readonly<Record<string, { readonly url: string; readonly session: string }>>
  /** Leftover resources. */
  readonly leftovers: readonly Leftover[]
  /** Scheduled exports of --phase start, by endpoint. */
  readonly started?: StartedByEndpoint
  /** Time of --phase verify, ISO 8601. It runs once. */
  readonly verifiedAt?: string
  /** Time of "touchstone cleanup", ISO 8601. `leftovers` then lists the resources that could not be removed. */
  readonly endedAt?: string
}

const time = z.iso.datetime()
const schedule = z.strictObject({
  kind: z.literal('schedule'),
  endpoint: z.string(),
  caller: z.enum(['usual', 'other', 'lower-plan', 'invalid']),
  id: z.string().exactOptional(),
  destination: z.string().exactOptional(),
})
const bucket = z.strictObject({ kind: z.literal('bucket'), name: z.string() })
const startedSchedule = z.strictObject({
  id: z.string(),
  start: time,
  intervalHours: z.int().min(1),
  destination: z.strictObject({ id: z.string(), bucket: z.string(), prefix: z.string() }),
  runType: z.string().exactOptional(),
  fields: z.array(z.string()).exactOptional(),
  spawnedAtStart: z.array(z.string()),
})

const stateSchema: z.ZodType<State> = z.strictObject({
  touchstone: z.literal('state'),
  version: z.literal(1),
  writtenAt: time,
  endpoints: z.record(z.string(), z.strictObject({ url: z.url(), session: z.string() })),
  leftovers: z.array(z.discriminatedUnion('kind', [schedule, bucket])),
  started: z
    .record(
      z.string(),
      z.strictObject({ createdAt: time, past: startedSchedule, upcoming: startedSchedule, cancelled: startedSchedule }),
    )
    .exactOptional(),
  verifiedAt: time.exactOptional(),
  endedAt: time.exactOptional(),
})

/** Creates the state of a test run. */
export function stateOf(manifest: Manifest, leftovers: readonly Leftover[], started?: State['started']): State {
  const endpoints = Object.entries(manifest.endpoints).flatMap(([name, { url, export: declared }]) =>
    declared === undefined ? [] : [[name, { url: bare(url), session: declared.session }] as const],
  )
  return {
    touchstone: 'state',
    version: 1,
    writtenAt: new Date().toISOString(),
    endpoints: Object.fromEntries(endpoints),
    leftovers,
    ...(started && { started }),
  }
}

/** Removes credentials from a URL. */
function bare(text: string): string {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

/**
 * Writes a state file synchronously and atomically, so that it is complete whenever the process ends.
 */
export function writeState(file: string, state: State): void {
  const draft = `${file}.draft`
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`)
  renameSync(draft, file)
}

/**
 * Reads a state file.
 *
 * @throws UsageError if the file cannot be read or is not valid
 */
export async function readState(file: string): Promise<State> {
  let json: unknown
  try {
    json = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read'
    throw new UsageError(
      `--state: ${file} ${why}. Use a file that "touchstone test --phase start" or a test run wrote.`,
    )
  }
  const parsed = stateSchema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new UsageError(`--state: ${file} is not a valid state file of this version:\n${z.prettifyError(parsed.error)}`)
}

/** Whether a file is a state without leftover resources, which may be overwritten. */
export function isUsedUp(file: string): boolean {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).leftovers.length === 0
  } catch {
    return false
  }
}

/**
 * Checks that a state belongs to a target, so that its ids are sent to no other one.
 *
 * @throws UsageError if an endpoint differs
 */
export function checkSameTarget(state: State, manifest: Manifest, file: string): void {
  for (const [name, { url }] of Object.entries(state.endpoints)) {
    const endpoint = manifest.endpoints[name]
    const current = endpoint && bare(endpoint.url)
    if (current === url) continue
    throw new UsageError(
      `--state ${file}: expected the endpoint "${name}" at ${url}, received ${current === undefined ? 'no such endpoint' : current}. Use the options and configuration of the run that wrote the file.`,
    )
  }
}
