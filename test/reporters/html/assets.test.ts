import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { assetsModule, bundleAssets } from '../../../reporters/html/generate/bundle.ts'
import { script, style } from '../../../reporters/html/generated/assets.ts'

test('the generated style sheet and script are up to date (run npm run page)', async () => {
  const file = new URL('../../../reporters/html/generated/assets.ts', import.meta.url)
  expect(await readFile(file, 'utf8')).toBe(assetsModule(await bundleAssets()))
})

test('the style sheet and the script do not end their element or load other resources', () => {
  expect(script).not.toMatch(/<\/script|<!--/i)
  expect(style).not.toMatch(/<\/style|@import|url\(/i)
})
