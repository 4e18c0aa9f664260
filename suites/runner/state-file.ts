import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Lasting } from '../harness/export/lasting.ts'
import type { Manifest } from '../harness/manifest.ts'
import type { LaunchedByEndpoint } from './launch.ts'
import { UsageError } from './usage-error.ts'

/** What a run left on a target, for a later one; it holds no secret. */
export interface State {
  readonly touchstone: 'state'
  /** Version of this form; a reader refuses another. */
  readonly version: 1
  /** ISO 8601. */
  readonly writtenAt: string
  /** The endpoints that it is about, by their names in the manifest: where they are, and which project is exported. */
  readonly endpoints: Readonly<Record<string, { readonly url: string; readonly session: string }>>
  /** What lives on by itself. */
  readonly lasting: readonly Lasting[]
  /** What was launched to be judged later, by endpoint. */
  readonly launched?: LaunchedByEndpoint
  /** When it was judged, ISO 8601: that is done once. */
  readonly verifiedAt?: string
  /** When it was ended without a verdict, ISO 8601: `lasting` is what could not be ended. */
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
const launchedSchedule = z.strictObject({
  id: z.string(),
  start: time,
  hours: z.int().min(1),
  destination: z.strictObject({ id: z.string(), bucket: z.string(), prefix: z.string() }),
  runType: z.string().exactOptional(),
  fields: z.array(z.string()).exactOptional(),
  spawnedThen: z.array(z.string()),
})

const stateSchema: z.ZodType<State> = z.strictObject({
  touchstone: z.literal('state'),
  version: z.literal(1),
  writtenAt: time,
  endpoints: z.record(z.string(), z.strictObject({ url: z.url(), session: z.string() })),
  lasting: z.array(z.discriminatedUnion('kind', [schedule, bucket])),
  launched: z
    .record(
      z.string(),
      z.strictObject({ at: time, past: launchedSchedule, ahead: launchedSchedule, cancelled: launchedSchedule }),
    )
    .exactOptional(),
  verifiedAt: time.exactOptional(),
  endedAt: time.exactOptional(),
})

/** The state of what lives on a target. */
export function stateOf(manifest: Manifest, lasting: readonly Lasting[], launched?: State['launched']): State {
  const endpoints = Object.entries(manifest.endpoints).flatMap(([name, { url, export: declared }]) =>
    declared === undefined ? [] : [[name, { url: bare(url), session: declared.session }] as const],
  )
  return {
    touchstone: 'state',
    version: 1,
    writtenAt: new Date().toISOString(),
    endpoints: Object.fromEntries(endpoints),
    lasting,
    ...(launched && { launched }),
  }
}

/** A URL without the credentials that may be in it. */
function bare(text: string): string {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

/**
 * Writes a state file, which is whole whenever the process ends. At once and not in the background: it may end at any
 * time.
 */
export function writeState(file: string, state: State): void {
  const draft = `${file}.draft`
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`)
  renameSync(draft, file)
}

/** Reads a state file. */
export async function readState(file: string): Promise<State> {
  let json: unknown
  try {
    json = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new UsageError(`--state ${file} ${why}; expected what "touchstone test --phase launch" or a test run wrote.`)
  }
  const parsed = stateSchema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new UsageError(
    `--state ${file} is no state of a target that this version knows:\n${z.prettifyError(parsed.error)}`,
  )
}

/** Whether a file is a state that lists nothing any more: another one may take its place. */
export function isUsedUp(file: string): boolean {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).lasting.length === 0
  } catch {
    return false
  }
}

/** What a state tells is sent to no other target than the one that it is about. */
export function checkSameTarget(state: State, manifest: Manifest, file: string): void {
  for (const [name, { url }] of Object.entries(state.endpoints)) {
    const endpoint = manifest.endpoints[name]
    const given = endpoint && bare(endpoint.url)
    if (given === url) continue
    throw new UsageError(
      `--state ${file} is about the endpoint "${name}" at ${url}; the target given has ${given === undefined ? 'none of that name' : `it at ${given}`}. Give the options and the configuration of that run.`,
    )
  }
}
