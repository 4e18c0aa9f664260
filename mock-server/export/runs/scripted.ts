import type { ScriptedExport } from '../../scripting/exports.ts'
import type { ExportRun } from '../types.ts'

/** A failure from a script. Clients see its message and nothing else. */
export class ScriptedFailure extends Error {
  override readonly name: string = 'ScriptedFailure'
}

/** Waits as long as the script says a date takes, then throws ScriptedFailure if the script says that the date fails. */
export async function playDate(
  { dateMs = 0, fail }: ScriptedExport,
  { partition: { year, month, day } }: ExportRun,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  if (dateMs > 0) await sleep(dateMs)
  const date = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
  const message = typeof fail === 'object' ? fail[date] : fail
  if (message !== undefined) throw new ScriptedFailure(message)
}
