import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { renderApi } from '../../docs/.vitepress/api.ts'

test('the API reference is up to date; otherwise run `npm run generate`', async () => {
  const folder = new URL('../../docs/reference/api/', import.meta.url)
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))

  expect(Object.fromEntries(names.map((name, index) => [name, texts[index]]))).toEqual(
    Object.fromEntries(await renderApi()),
  )
})
