import { writeFile } from 'node:fs/promises'
import { scenarioJsonSchema } from '../scripting/scenario.ts'

await writeFile(new URL('../scripting/scenario.schema.json', import.meta.url), scenarioJsonSchema())
