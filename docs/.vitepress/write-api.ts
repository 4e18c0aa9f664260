import { mkdir, rm, writeFile } from 'node:fs/promises'
import { renderApi } from './api.ts'

// Run by `npm run generate`.
const folder = new URL('../reference/api/', import.meta.url)
const pages = await renderApi()
await rm(folder, { recursive: true, force: true })
await mkdir(folder)
for (const [name, text] of pages) await writeFile(new URL(name, folder), text)
