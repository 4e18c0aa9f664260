import { writeFile } from 'node:fs/promises'
import { renderCounts } from '../counts.ts'
import type { VariantResult } from './test-variant.ts'

/** Writes a module with the number of variants, in total and for each requirement, which reports and docs show. */
export async function writeCounts(results: readonly VariantResult[]): Promise<void> {
  const rejected = results.filter(({ rejections }) => rejections.length > 0).length
  const text = `// Written by "npm run variants -- --record".

/** The number of variants by result. */
export const variants = { accepted: ${results.length - rejected}, rejected: ${rejected} }

/** The number of variants on which each requirement was tested and passes, by the last name of its id. */
export const variantCounts: Readonly<Record<string, Readonly<Record<string, number>>>> = {
${renderCounts(results.flatMap(passedOf))}}
`
  await writeFile(new URL('../../suites/catalog/generated/variants.ts', import.meta.url), text)
}

function passedOf({ decidable, inconclusive, rejections }: VariantResult): readonly string[] {
  const others = new Set<string>([...Object.keys(inconclusive), ...rejections.map(({ requirement }) => requirement)])
  return decidable.filter((id) => !others.has(id))
}
