import { writeFile } from 'node:fs/promises'
import { reportJsonSchema } from './report.ts'

await writeFile(new URL('report.schema.json', import.meta.url), reportJsonSchema())
