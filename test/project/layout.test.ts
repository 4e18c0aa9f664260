import { execFileSync } from 'node:child_process'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sourceFiles } from './import-graph.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('every tracked TypeScript file is type-checked', () => {
  const projects = [
    'tsconfig.json',
    'reporters/html/browser/tsconfig.json',
    'mock-server/control/page/browser/tsconfig.json',
    'docs/.vitepress/theme/tsconfig.json',
    'test/clients/chat/tsconfig.json',
  ]
  const checked = new Set(
    projects.flatMap((project) =>
      execFileSync('node_modules/.bin/tsc', ['-p', project, '--listFilesOnly'], { cwd: root, encoding: 'utf8' })
        .split('\n')
        .map((path) => relative(root, path)),
    ),
  )

  expect(sourceFiles().filter((file) => !checked.has(file))).toEqual([])
})
