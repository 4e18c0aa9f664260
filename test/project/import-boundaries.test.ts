import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../fixtures/touchstone.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const forms: Readonly<Record<string, (path: string) => string>> = {
  import: (path) => `import { x } from '${path}'\nx()\n`,
  'import type': (path) => `import type { X } from '${path}'\nexport type Y = X\n`,
  'export from': (path) => `export { x } from '${path}'\n`,
  'import()': (path) => `await import('${path}')\n`,
}

const forbidden: readonly (readonly [folder: string, path: string])[] = [
  ['suites/scenarios/deployment', '../../../mock-server/index.ts'],
  ['suites/scenarios/deployment', '../../../targets/mutants/mutant.ts'],
  ['suites/scenarios/deployment', 'touchstone'],
  ['suites/scenarios/deployment', '../../../reporters/verdict.ts'],
  ['suites/harness/export', '../../../reporters/html/page.ts'],
  ['suites/rules/deployment', '../../harness/http.ts'],
  ['suites/model', '../scenarios/index.ts'],
  ['suites/evaluate', '../runner/preflight.ts'],
  ['suites/evaluate', '../../mock-server/index.ts'],
  ['suites/scenarios/deployment', '../../../targets/third-party/servers.ts'],
  ['mock-server', '../suites/scenarios/index.ts'],
  ['mock-server', '../targets/third-party/servers.ts'],
  ['mock-server', 'touchstone'],
  ['mock-server/export/runs', '../../../fixtures/traces/record.ts'],
  ['mock-server/control/journal', '../../../fixtures/traces/stream.ts'],
  ['mock-server/deployment', '../../suites/scenarios/index.ts'],
  ['mock-server/deployment', '../../targets/mutants/mutant.ts'],
  ['mock-server/deployment', 'node:fs'],
  ['mock-server/graphs', 'node:crypto'],
  ['mock-server/control', 'node:timers/promises'],
  ['mock-server/scripting', 'node:fs'],
  ['mock-server/runtime', 'node:timers/promises'],
  ['mock-server/http', 'node:http'],
  ['mock-server/runtime', '../http/errors.ts'],
  ['mock-server/http', '../graphs/define.ts'],
  ['mock-server/graphs', '../scripting/script.ts'],
  ['mock-server/scripting', '../deployment/create.ts'],
  ['mock-server/deployment/runs', '../../export/service.ts'],
  ['mock-server/export', '../control/routes.ts'],
  ['mock-server/control/faults', '../../adapters/node.ts'],
  ['mock-server/control', '../client/report.ts'],
  ['mock-server', '../reporters/model/report.ts'],
  ['mock-server/client', '../../reporters/html/page.ts'],
  ['mock-server/client', '../../suites/scenarios/index.ts'],
  ['mock-server/client', '../adapters/node.ts'],
  ['pages/browser', '../../mock-server/index.ts'],
  ['pages/browser', '../../reporters/model/report.ts'],
  ['mock-server/control/page', '../../../reporters/html/markup.ts'],
  ['reporters', '../suites/scenarios/index.ts'],
  ['reporters', '../mock-server/index.ts'],
  ['reporters/replay', '../../fixtures/traces/record.ts'],
  ['reporters', '../targets/third-party/observations.ts'],
  ['fixtures', '../mock-server/index.ts'],
  ['fixtures', '../suites/scenarios/index.ts'],
  ['cli', '../targets/mutants/run.ts'],
  ['cli', '../targets/third-party/run.ts'],
  ['targets', '../cli/main.ts'],
  ['targets/mutants', '../../cli/conformance.ts'],
  ['targets/third-party', '../../cli/conformance.ts'],
  ['cli/github-action', '../../suites/runner/test-target.ts'],
  ['cli/github-action', '../main.ts'],
]

const allowed: readonly (readonly [folder: string, path: string])[] = [
  ['suites/scenarios/deployment', '../../../reporters/model/report.ts'],
  ['suites/scenarios/deployment', '../../harness/http.ts'],
  ['suites/rules/deployment', '../../values/json.ts'],
  ['mock-server/adapters', 'node:http'],
  ['mock-server/export/bucket', 'node:fs'],
  ['mock-server/control/dump', '../../deployment/records.ts'],
  ['mock-server/client', '../../reporters/model/report.ts'],
  ['mock-server/client', '../control/journal/exchange.ts'],
  ['mock-server/control/page/browser', '../../../../pages/browser/create.ts'],
  ['mock-server/deployment/runs', '../../http/errors.ts'],
  ['targets/mutants', '../../mock-server/index.ts'],
  ['targets/mutants', '../../suites/scenarios/index.ts'],
  ['cli', '../suites/scenarios/index.ts'],
  ['cli', '../targets/reference-server.ts'],
  ['targets/third-party', '../../suites/scenarios/index.ts'],
  ['cli/github-action', '../../reporters/model/report.ts'],
]

test('forbidden imports are lint errors, in every import syntax', async () => {
  const copy = await temporaryFolder()
  await copyFile(join(root, 'biome.json'), join(copy, 'biome.json'))
  const probes = [...forbidden, ...allowed].flatMap(([folder, path], index) =>
    Object.entries(forms).map(([form, write]) => ({
      file: `${folder}/probe-${index}-${form.replace(/\W/g, '')}.ts`,
      description: `${folder}: ${form} ${path}`,
      text: write(path),
      isForbidden: index < forbidden.length,
    })),
  )
  for (const { file, text } of probes) {
    await mkdir(dirname(join(copy, file)), { recursive: true })
    await writeFile(join(copy, file), text)
  }

  const args = [
    'lint',
    '--only=style/noRestrictedImports',
    '--reporter=github',
    '--vcs-enabled=false',
    '--max-diagnostics=none',
  ]
  const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/biome'), args, { cwd: copy, encoding: 'utf8' })

  const mismatches = probes.filter(({ file, isForbidden }) => `${stdout}${stderr}`.includes(file) !== isForbidden)
  expect(mismatches.map(({ description }) => description)).toEqual([])
})
