import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkout } from './pages.ts'

const page = await readFile(join(checkout, 'docs/guides/troubleshooting.md'), 'utf8')

test('every error message on the page is in the source', async () => {
  const sources: string[] = []
  for await (const file of glob('{cli,mock-server,suites}/**/*.{ts,js}', { cwd: checkout }))
    sources.push(await readFile(join(checkout, file), 'utf8'))
  const messages = [...page.matchAll(/^### (`+) ?(.+?) ?\1$/gm)].map(([, , message = '']) => message)
  const isInSource = (message: string) =>
    sources.some((source) => message.split('…').every((part) => source.includes(part.trim())))

  expect(messages.length).toBeGreaterThan(20)
  expect(messages.filter((message) => !isInSource(message))).toEqual([])
})

test('every error message has a cause and a remedy', () => {
  const entries = page.split(/^### /m).slice(1)

  expect(entries.filter((entry) => !entry.includes('**Cause:**') || !entry.includes('**Remedy:**'))).toEqual([])
})
