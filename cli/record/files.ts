import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderHar } from '../../mock-server/control/journal/har.ts'
import { present } from '../../mock-server/control/journal/present.ts'
import { sessionOf } from '../../mock-server/control/journal/scenario.ts'
import { UsageError } from '../../suites/values/usage-error.ts'
import type { Recorder } from './recorder.ts'

/** Creates the folder of a recording. Throws UsageError unless it is new or empty. */
export async function createRecordingFolder(folder: string): Promise<void> {
  const problem = `--out ${folder}: expected a new or an empty folder, received`
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new UsageError(`${problem} one that cannot be created (${code}). Name another folder.`)
  }
  const { length } = await readdir(folder)
  if (length === 0) return
  throw new UsageError(
    `${problem} one with ${length} file${length === 1 ? '' : 's'}. Name another folder, or delete it.`,
  )
}

/** Writes the files of a recording, without secrets. Returns a summary for the user. */
export async function writeRecording(folder: string, recorder: Recorder, target: string): Promise<string> {
  const { entries, secrets } = recorder
  const exchanges = entries.map((entry) => present(entry, secrets))
  const { recording, omitted } = sessionOf(recorder, target)
  const files = {
    'scenario.json': `${JSON.stringify({ recording }, null, 2)}\n`,
    'exchanges.ndjson': exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`).join(''),
    'session.har': renderHar(exchanges),
  }
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
  const streams = exchanges.filter(({ events }) => events !== undefined).length
  return [
    `recorded ${entries.length} request${entries.length === 1 ? '' : 's'}, ${streams} of them with a stream:`,
    ...Object.keys(files).map((name) => `  ${join(folder, name)}`),
    ...omitted.map((reason) => `not in the scenario: ${reason}`),
    `next: touchstone serve --scenario ${join(folder, 'scenario.json')}`,
    '',
  ].join('\n')
}
