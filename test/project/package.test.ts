import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { packageVersion } from '../../reporters/model/version.ts'

interface PackageJson {
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
}

const { version, scripts }: PackageJson = JSON.parse(
  await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
)

test('reports show the version of package.json', () => {
  expect(packageVersion).toBe(version)
})

test('every script that runs TypeScript checks the version of Node first', () => {
  const unguarded = Object.values(scripts).filter((script) => {
    const [first = ''] = script.split('&&')
    return /^node .*\.ts\b/.test(first) && !first.startsWith('node --import ./cli/bin/needs-node.js ')
  })
  expect(unguarded).toEqual([])
})
