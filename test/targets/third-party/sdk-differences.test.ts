import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { renderDifferences } from './sdk-differences.ts'

const file = fileURLToPath(new URL('../../../docs/reference/sdk-calls.md', import.meta.url))

test('docs/reference/sdk-calls.md lists the differences from the public servers; `vitest --update` writes it', async () => {
  const [before, section = ''] = (await readFile(file, 'utf8')).split('## Compared with the public servers\n')
  const after = section.slice(section.indexOf('\n## '))
  await expect(`${before}${await renderDifferences()}${after}`).toMatchFileSnapshot(file)
})
