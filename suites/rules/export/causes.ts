import type { RequirementId } from '../../catalog/generated/ids.ts'
import type { ExportModel } from '../../model/export.ts'
import { type Rule, unless } from '../rule.ts'

/**
 * Requirements whose failure makes others fail, with the ids of these: where files are, which run a row shows, and what is lost
 * or cancelled.
 */
const consequences = {
  'export.destination.prefix.confines':
    /^export\.(errors\.run|execute|schedule|service|filter|fields\.same|record\.\w+\.value|destination\.test-file)/,
  'export.record.id.value':
    /^export\.(schedule\.(window|filter)|service|filter|fields\.same|file\.(rows|border)|record\.\w+\.value)/,
  'export.cancel.only-named': /^export\.(auth\.workspace\.cancel|schedule|execute|cancel\.(spares|spawned))/,
  'export.list.current-status': /^export\.cancel\.spawned-alone/,
  'export.service.nothing-outside': /^export\.schedule\.window/,
  'export.service.time-range': /^export\.(schedule\.(window|filter)|fields\.same-runs)/,
  'export.file.partition': /^export\.run\.(rows|per-date)/,
} as const satisfies Partial<Record<RequirementId, RegExp>>

/** Blocks the cases of rules that fail because of a more basic failure. */
export function unlessCaused(rules: readonly Rule<ExportModel>[]): readonly Rule<ExportModel>[] {
  const causes = Object.entries(consequences).map(([id, others]) => {
    const cause = id as RequirementId
    return { cause, others, guard: unless(rules.filter(({ requirements }) => requirements.includes(cause))) }
  })
  const causeOf = (requirement: RequirementId, model: ExportModel) =>
    causes.find(({ cause, others, guard }) => {
      return cause !== requirement && others.test(requirement) && guard(undefined, model) !== undefined
    })?.cause
  return rules.map((rule) => ({
    ...rule,
    *cases(model) {
      for (const each of rule.cases(model)) {
        const blockedBy = each.mismatch === undefined || each.blockedBy ? undefined : causeOf(each.requirement, model)
        yield blockedBy === undefined ? each : { ...each, blockedBy }
      }
    },
  }))
}
