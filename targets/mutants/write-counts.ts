import { writeFile } from 'node:fs/promises'
import { mutants } from './catalogue.ts'
import { renderCounts } from './counts.ts'

// Run by `npm run generate`.
await writeFile(new URL('../../suites/catalog/generated/mutants.ts', import.meta.url), renderCounts(mutants))
