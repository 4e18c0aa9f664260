import type { Strength } from './model/report.ts'
import { plural } from './model/text.ts'

/** Says how many wrong servers a requirement detects, and how many unusual but conforming ones pass it. */
export function renderStrength({ mutants, generatedMutants, variants }: Strength): string {
  const detected = `detects ${plural(mutants, 'mutant')}`
  const generated = generatedMutants === 0 ? '' : ` and ${plural(generatedMutants, 'generated mutant')}`
  const passed =
    variants === 0 ? '' : `; ${plural(variants, 'conforming variant')} ${variants === 1 ? 'passes' : 'pass'}`
  return `${detected}${generated}${passed}`
}
