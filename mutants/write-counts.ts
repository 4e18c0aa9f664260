import { writeFile } from 'node:fs/promises'
import { mutants } from './catalogue.ts'
import { renderCounts } from './counts.ts'

// Run by `npm run register`.
await writeFile(new URL('../suites/requirements/generated/mutants.ts', import.meta.url), renderCounts(mutants))
