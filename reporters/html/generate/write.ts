import { writeFile } from 'node:fs/promises'
import { assetsModule, bundleAssets } from './bundle.ts'

await writeFile(new URL('../generated/assets.ts', import.meta.url), assetsModule(await bundleAssets()))
