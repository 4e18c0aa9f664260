import { fileURLToPath } from 'node:url'

/** The folder of package.json. */
export const packageRoot: string = fileURLToPath(new URL('../', import.meta.url))
