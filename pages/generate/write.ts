import { writeFile } from 'node:fs/promises'
import { pages } from './pages.ts'

for (const { file, write } of Object.values(pages)) await writeFile(file, await write())
