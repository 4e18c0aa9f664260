import { writeFile } from 'node:fs/promises'
import { assetsModule, bundleAssets, pageNames } from './bundle.ts'

for (const page of pageNames) {
  await writeFile(new URL(`../generated/${page}.ts`, import.meta.url), assetsModule(await bundleAssets(page)))
}
