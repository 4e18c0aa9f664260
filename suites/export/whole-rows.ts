import type { Check } from '../harness/check.ts'
import { Inconclusive } from '../harness/errors.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { identifier } from '../harness/export/identify.ts'
import { knownRuns } from '../harness/export/known-runs.ts'
import { unlockedBy, unlockedBySeeds } from '../harness/export/material.ts'
import { wholeExport } from '../harness/export/played.ts'
import { isInside, isOutside, type Seeded } from '../harness/export/seeded.ts'
import { verifyUnchanged } from '../harness/export/unchanged.ts'
import { show } from '../harness/json.ts'

/** The records that the driver has put into the project; throws Inconclusive where there is none. */
export async function seededOf(context: ExportContext): Promise<Seeded> {
  const { seeded } = (await wholeExport(context)).material
  if (seeded) return seeded
  throw new Inconclusive('the contents of the runs in the project are unknown', unlockedBySeeds(context.session))
}

const window = exportCheck(
  [
    'export.service.time-range',
    'export.service.nothing-outside',
    'export.service.one-project',
    'export.filter.omitted',
  ],
  'exports the runs of the window',
  async (context) => {
    const { decide, session } = context
    const { runs, judged, beyondDefault, isForeign } = await knownRuns(context)
    const found = judged.map((stretch) => {
      const exported = new Set(stretch.rows.map(identifier(runs, stretch.rows)))
      const inside = runs.filter((run) => isInside(run, stretch))
      return {
        inside,
        missing: inside.filter((run) => !exported.has(run)),
        outside: runs.filter((run) => isOutside(run, stretch) && exported.has(run)),
      }
    })
    const missing = found.flatMap((one) => one.missing)
    const outside = found.flatMap((one) => one.outside)
    const tell = (some: readonly { readonly id?: unknown; readonly start_time?: unknown }[]) =>
      `${some.length}: ${show(some.slice(0, 3).map(({ id, start_time }) => ({ id, start_time })))}`
    // What a run is, is no reason to leave it out: a filter would.
    const kinds = Map.groupBy(missing, ({ run_type }) => run_type)
    const inside = found.flatMap((one) => one.inside)
    const whole = [...kinds].filter(
      ([kind, lost]) => lost.length === inside.filter((one) => one.run_type === kind).length,
    )
    await decide('export.service.time-range', () =>
      verifyUnchanged(
        context,
        missing.length === 0 || whole.length > 0,
        'runs of the window that no file contains',
        'none',
        tell(missing),
      ),
    )
    await decide('export.filter.omitted', () => {
      if (!beyondDefault) {
        const why = 'the export with the filter like(name, "%") does not contain all runs'
        throw new Inconclusive(why, unlockedBy(session, 'a time whose runs all have a name'))
      }
      return verifyUnchanged(
        context,
        whole.length === 0,
        'types of runs that are missing from the export',
        'none',
        show(whole.map(([kind]) => kind)),
      )
    })
    await decide('export.service.nothing-outside', () =>
      verifyUnchanged(
        context,
        outside.length === 0,
        'runs outside the window that are in a file',
        'none',
        tell(outside),
      ),
    )
    await decide('export.service.one-project', () => {
      const foreign = judged.flatMap(({ rows }) => rows.filter(isForeign))
      context.verify(foreign.length === 0, 'runs of another project that are in a file', 'none', tell(foreign))
    })
  },
)

export const wholeRowChecks: readonly Check[] = [window]
