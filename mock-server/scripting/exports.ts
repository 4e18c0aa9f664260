import { z } from 'zod'
import { describeIssues, strictObject } from '../http/validation.ts'
import { Sequence, type Taken } from './sequence.ts'

/** The outcome of an export, in place of its trace records. */
export interface ScriptedExport {
  /**
   * The number of generated rows of each date, before the filter.
   *
   * @default the trace records of the date
   */
  readonly rows?: number
  /**
   * Milliseconds of the server's clock that each date takes. Two dates are exported concurrently.
   *
   * @default none
   */
  readonly dateMs?: number
  /** The error in `errors` of the export run: of every date, or by date, such as `{ '2026-01-02': 'Access denied' }`. */
  readonly fail?: string | Readonly<Record<string, string>>
  /** Milliseconds after which the export is cancelled, as if by another client. */
  readonly cancelledAfterMs?: number
}

/** A script of exports. Every export takes the next outcome when it is created or spawned. */
export interface ExportScript {
  /** Adds outcomes at the end. */
  add(...exports: readonly ScriptedExport[]): ExportScript
  /** Starts again at the first outcome after the last. */
  repeat(): ExportScript
  /** Sets the outcome of exports after the last. */
  otherwise(scripted: ScriptedExport): ExportScript
  /** The number of exports that have taken an outcome. */
  readonly taken: number
}

/** A script of exports with the methods that the server uses. */
export interface PlayedExports {
  readonly script: ExportScript
  /** Returns the outcome of a new export; undefined after the last. */
  next(): ScriptedExport | undefined
  position(): Taken
  goBack(position: Taken): void
}

/** The schema of an export's outcome in scenario files. */
export const scriptedExport: z.ZodType<ScriptedExport> = strictObject({
  rows: z.int().min(0).max(10_000_000).describe('Number of generated rows of each date').exactOptional(),
  dateMs: z.number().min(0).describe('Milliseconds that each date takes').exactOptional(),
  fail: z
    .union([z.string(), z.record(z.string().regex(/^\d{4}-\d{2}-\d{2}$/), z.string())], {
      error: 'expected a text, or an object with texts by date, such as { "2026-01-02": "Access denied" }',
    })
    .describe('The error of every date, or by date')
    .exactOptional(),
  cancelledAfterMs: z
    .number()
    .min(0)
    .describe('Milliseconds after which the export is cancelled, as if by another client')
    .exactOptional(),
}).meta({ id: 'Export' })

/** Creates the script of exports. Throws a TypeError for an invalid outcome. */
export function createExportScript(outcomes: readonly ScriptedExport[]): PlayedExports {
  const sequence = new Sequence<ScriptedExport>()
  const script: ExportScript = {
    add: (...exports) => {
      for (const item of exports) sequence.add(checkExport(item, `Export ${sequence.length + 1} of the script`))
      return script
    },
    repeat: () => {
      sequence.repeat()
      return script
    },
    otherwise: (item) => {
      sequence.otherwise(checkExport(item, 'The export "otherwise" of the script'))
      return script
    },
    get taken() {
      return sequence.taken
    },
  }
  script.add(...outcomes)
  return {
    script,
    next: () => sequence.take().item,
    position: () => sequence.position(),
    goBack: (position) => sequence.goBack(position),
  }
}

/** Validates the outcome of an export. Throws a TypeError. `what` names it. */
function checkExport(value: unknown, what: string): ScriptedExport {
  const { success, data, error } = scriptedExport.safeParse(value)
  if (success) return data
  const [issue] = describeIssues(error.issues, value)
  throw new TypeError(`${what}: ${issue?.path.length === 0 ? issue.message : issue?.sentence}`)
}
