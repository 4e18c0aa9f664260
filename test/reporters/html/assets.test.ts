import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { assetsModule, bundleAssets, pageNames } from '../../../reporters/html/generate/bundle.ts'

test.each(pageNames)(
  'the generated style sheet and script of the %s are up to date (run npm run page)',
  async (page) => {
    const file = new URL(`../../../reporters/html/generated/${page}.ts`, import.meta.url)
    expect(await readFile(file, 'utf8')).toBe(assetsModule(await bundleAssets(page)))
  },
)

test.each(pageNames)(
  'the style sheet and the script of the %s do not end their element or load resources',
  async (page) => {
    const { script, style } = await bundleAssets(page)
    expect(script).not.toMatch(/<\/script|<!--/i)
    expect(style).not.toMatch(/<\/style|@import|url\(/i)
  },
)
