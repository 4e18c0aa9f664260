import type { Choice } from './choice.ts'
import type { Culprit } from './shrink.ts'
import type { VariantResult } from './test-variant.ts'
import { renderSetting } from './variant.ts'

/** The share of variants on which a requirement may be inconclusive. */
const toleratedShare = 0.1

/** Renders a cause of rejections as one sentence. */
export function renderCulprit({ variant, settings, rejections }: Culprit): string {
  const [first, ...others] = rejections
  if (first === undefined) return ''
  const where =
    settings === undefined ? 'once, not in a second test,' : `if ${settings.map(renderSetting).join(' and ')}`
  const when = settings?.length === 0 ? 'without any choice' : where
  const more = others.length === 0 ? '' : `; so do ${others.length} others, such as ${others[0]?.requirement}`
  const { requirement, verdict, profile, message } = first
  return `rejected: seed ${variant.seed} (${profile}): ${requirement} gets ${verdict} ${when}: ${message}${more}`
}

/** Renders the requirements that are inconclusive on too many of the variants that allow a verdict. */
export function renderInconclusive(results: readonly VariantResult[]): readonly string[] {
  const decidable = Map.groupBy(
    results.flatMap(({ decidable }) => decidable),
    (requirement) => requirement,
  )
  const reasons = Map.groupBy(
    results.flatMap(({ inconclusive }) => Object.entries(inconclusive)),
    ([requirement]) => requirement,
  )
  const tooMany = [...reasons].flatMap(([requirement, entries]) => {
    const count = decidable.get(requirement as VariantResult['decidable'][number])?.length ?? 0
    if (entries.length <= toleratedShare * count) return []
    return [{ requirement, times: `${entries.length} of ${count}`, reason: entries[0]?.[1] ?? '' }]
  })
  return [...Map.groupBy(tooMany, ({ reason, times }) => `on ${times}: ${reason}`)].map(([reason, group]) => {
    const [first, ...others] = group
    return `inconclusive: ${first?.requirement}${others.length === 0 ? '' : ` and ${others.length} others`} ${reason}`
  })
}

/** Renders the last line of a run. */
export function renderTotals(results: readonly VariantResult[], choices: readonly Choice[]): string {
  const rejected = results.filter(({ rejections }) => rejections.length > 0).length
  const exercised = new Set(results.flatMap(({ variant }) => variant.settings.map(({ choice }) => choice)))
  const count = choices.filter(({ id }) => exercised.has(id)).length
  const accepted = results.length - rejected
  return `variants: ${accepted} accepted, ${rejected} rejected; choices exercised: ${count} of ${choices.length}`
}
