import { mkdir, rm, writeFile } from 'node:fs/promises'
import { requirementIds } from './generated/ids.ts'
import { renderRequirements } from './markdown.ts'
import { sections } from './sections.ts'

// Run by `npm run generate`: freezes the ids as a type and writes the public list.
const ids = sections.map((row) => `  '${row.id}',`).join('\n')
const here = new URL('.', import.meta.url)
await writeFile(
  new URL('generated/ids.ts', here),
  `// Written by "npm run generate"; an id never changes its meaning and is never used again.

/** The ids of all rows of the register, in the order of the document. */
export const requirementIds = [
${ids}
] as const

export type RequirementId = (typeof requirementIds)[number]
`,
)
const folder = new URL('../../docs/reference/requirements/', here)
await rm(folder, { recursive: true, force: true })
await mkdir(folder)
for (const [name, text] of renderRequirements(sections)) await writeFile(new URL(name, folder), text)

const [before, now] = [new Set<string>(requirementIds), new Set<string>(sections.map(({ id }) => id))]
for (const id of now) if (!before.has(id)) process.stdout.write(`new: ${id}\n`)
for (const id of before)
  if (!now.has(id)) process.stdout.write(`retired: ${id}; the changelog tells so, and no other row takes the id\n`)
process.stdout.write(`${now.size} requirements written\n`)
