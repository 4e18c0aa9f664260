import { writeFile } from 'node:fs/promises'
import { traceJsonSchema } from './entries.ts'

await writeFile(new URL('trace.schema.json', import.meta.url), traceJsonSchema())
