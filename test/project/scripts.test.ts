import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test('every script that runs TypeScript checks the version of Node first', async () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  )

  const unguarded = Object.values(scripts).filter((script) => {
    const [first = ''] = script.split('&&')
    return /^node .*\.ts\b/.test(first) && !first.startsWith('node --import ./cli/bin/needs-node.js ')
  })
  expect(unguarded).toEqual([])
})
