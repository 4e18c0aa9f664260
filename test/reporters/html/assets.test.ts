import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { assetsModule, bundleAssets } from '../../../reporters/html/generate/bundle.ts'
import { script, style } from '../../../reporters/html/generated/assets.ts'

test('the style sheet and the script in the package are those of the sources; `npm run page` writes them', async () => {
  const file = new URL('../../../reporters/html/generated/assets.ts', import.meta.url)
  expect(await readFile(file, 'utf8')).toBe(assetsModule(await bundleAssets()))
})

test('neither ends its own element or loads anything', () => {
  expect(script).not.toMatch(/<\/script|<!--/i)
  expect(style).not.toMatch(/<\/style|@import|url\(/i)
})
