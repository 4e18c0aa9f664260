import { z } from 'zod'
import { describeIssues, strictObject } from '../http/validation.ts'
import { Row, type Taken } from './row.ts'

/** What becomes of an export, in place of what its trace records would make of it. */
export interface ScriptedExport {
  /**
   * Rows of each date, generated, before the filter.
   *
   * @default the trace records of the date
   */
  readonly rows?: number
  /**
   * Milliseconds of the server's clock that each date takes; two dates are exported at a time.
   *
   * @default none
   */
  readonly dateMs?: number
  /** What goes wrong, as `errors` of the export run shows it: of each date, or by date, such as `{ '2026-01-02': 'Access denied' }`. */
  readonly fail?: string | Readonly<Record<string, string>>
  /** Milliseconds after which the export is cancelled by somebody else. */
  readonly cancelledAfterMs?: number
}

/** What becomes of exports. Every export takes the next one when it is created or spawned. */
export interface ExportScript {
  /** Adds further ones at the end. */
  add(...exports: readonly ScriptedExport[]): ExportScript
  /** Begins again at the first one when all have been taken. */
  repeat(): ExportScript
  /** What becomes of exports when all have been taken. */
  otherwise(scripted: ScriptedExport): ExportScript
  /** How many exports have been created since. */
  readonly taken: number
}

/** An export script, and what a server does with it. */
export interface PlayedExports {
  readonly script: ExportScript
  /** What becomes of an export that is created now; undefined where the script does not say. */
  next(): ScriptedExport | undefined
  position(): Taken
  goBack(position: Taken): void
}

/** What becomes of an export, as it stands in scenario files. */
export const scriptedExport: z.ZodType<ScriptedExport> = strictObject({
  rows: z.int().min(0).max(10_000_000).describe('Rows of each date, generated').exactOptional(),
  dateMs: z.number().min(0).describe('Milliseconds that each date takes').exactOptional(),
  fail: z
    .union([z.string(), z.record(z.string().regex(/^\d{4}-\d{2}-\d{2}$/), z.string())], {
      error: 'expected a text, or an object with texts by date, such as { "2026-01-02": "Access denied" }',
    })
    .describe('What goes wrong: of each date, or by date')
    .exactOptional(),
  cancelledAfterMs: z.number().min(0).describe('Milliseconds after which somebody cancels it').exactOptional(),
}).meta({ id: 'Export' })

/** Makes the script of exports. Throws a TypeError for what is none. */
export function createExportScript(given: readonly ScriptedExport[]): PlayedExports {
  const row = new Row<ScriptedExport>()
  const script: ExportScript = {
    add: (...exports) => {
      for (const item of exports) row.add(checkExport(item, `Export ${row.length + 1} of the script`))
      return script
    },
    repeat: () => {
      row.repeat()
      return script
    },
    otherwise: (item) => {
      row.otherwise(checkExport(item, 'The other export of the script'))
      return script
    },
    get taken() {
      return row.taken
    },
  }
  script.add(...given)
  return {
    script,
    next: () => row.take().item,
    position: () => row.position(),
    goBack: (position) => row.goBack(position),
  }
}

/** What becomes of an export, if it is that. Throws a TypeError; `what` names it. */
function checkExport(value: unknown, what: string): ScriptedExport {
  const { success, data, error } = scriptedExport.safeParse(value)
  if (success) return data
  const [issue] = describeIssues(error.issues, value)
  throw new TypeError(`${what}: ${issue?.path.length === 0 ? issue.message : issue?.sentence}`)
}
