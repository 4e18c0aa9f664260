import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pages } from '../../pages/generate/pages.ts'

test.each(Object.entries(pages))('the generated %s page is up to date (run npm run page)', async (_, page) => {
  expect(await readFile(page.file, 'utf8')).toBe(await page.write())
})

test.each(Object.entries(pages))('the style sheet and the script of the %s page are inside it', async (_, { file }) => {
  const { html, style, script = '' }: Record<string, string> = await import(file.href)
  const [, pageStyle = style] = /<style>(.*?)<\/style>/s.exec(html ?? '') ?? []
  const [, pageScript = script] = /<script>(.*)<\/script>/s.exec(html ?? '') ?? []
  expect(pageStyle).not.toMatch(/<\/style|@import|url\(/i)
  expect(pageScript).not.toMatch(/<\/script|<!--/i)
})
