import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type Leftover, leftover } from '../harness/export/leftovers.ts'
import { startedSchedules } from '../harness/export/started-schedules.ts'
import type { Manifest } from '../harness/manifest.ts'
import { UsageError } from '../values/usage-error.ts'

const time = z.iso.datetime()

const stateSchema = z.strictObject({
  touchstone: z.literal('state'),
  /** Version of the format. */
  version: z.literal(1),
  writtenAt: time,
  /** Endpoints of the run by their names in the configuration: URL and tracing project. */
  endpoints: z.record(z.string(), z.strictObject({ url: z.url(), session: z.string() })),
  leftovers: z.array(leftover).readonly(),
  /** Scheduled exports of --phase start, by endpoint. */
  started: z.record(z.string(), startedSchedules).exactOptional(),
  /** Time of --phase verify. It runs once. */
  verifiedAt: time.exactOptional(),
  /** Time of "touchstone cleanup". `leftovers` then lists the resources that could not be removed. */
  endedAt: time.exactOptional(),
})

/** Leftover resources and scheduled exports of a test run, for a later one. Contains no secrets. */
export type State = z.infer<typeof stateSchema>

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
