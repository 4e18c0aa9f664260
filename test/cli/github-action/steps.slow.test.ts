import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { copySources, environment, removeAll } from '../../fixtures/package.ts'
import { busy, startMockServer } from '../../fixtures/start-mock-server.ts'

interface Step {
  id?: string
  run?: string
  env?: Record<string, string>
}

let folder: string
let action: { inputs: Record<string, { default?: string }>; runs: { steps: Step[] } }
let path: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-action-'))
  // GitHub fetches the sources of an action and installs nothing.
  path = await copySources(join(folder, 'action'))
  action = parse(await readFile(join(path, 'action.yml'), 'utf8'))
})

afterAll(() => removeAll(folder))

/** Runs the shell steps of the action as GitHub does, until one fails. */
async function runAction(values: Record<string, string>, env: NodeJS.ProcessEnv = {}) {
  const workspace = await mkdtemp(join(folder, 'workspace-'))
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ''])
  const inputs: Record<string, string> = { ...Object.fromEntries(defaults), ...values }
  const outputs: Record<string, Record<string, string>> = {}
  const files = { GITHUB_OUTPUT: join(workspace, 'output'), GITHUB_STEP_SUMMARY: join(workspace, 'summary') }
  const expand = (text: string) =>
    text.replace(
      /\$\{\{ *(?:inputs\.([a-z-]+)|steps\.([a-z]+)\.outputs\.([a-z-]+)) *\}\}/g,
      (_, input, step, output) => (input === undefined ? (outputs[step]?.[output] ?? '') : (inputs[input] ?? '')),
    )
  let code: number | null = 0
  let log = ''
  for (const step of action.runs.steps) {
    if (step.run === undefined || code !== 0) continue
    await writeFile(files.GITHUB_OUTPUT, '')
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, expand(value)])
    const ended = await bash(step.run, workspace, {
      ...environment,
      ...env,
      ...files,
      ...Object.fromEntries(own),
      GITHUB_WORKSPACE: workspace,
      GITHUB_ACTION_PATH: path,
      RUNNER_TEMP: folder,
    })
    code = ended.code
    log += ended.log
    if (step.id) outputs[step.id] = parseOutputs(await readFile(files.GITHUB_OUTPUT, 'utf8'))
  }
  const summary = await readFile(files.GITHUB_STEP_SUMMARY, 'utf8').catch(() => '')
  return { code, log, workspace, summary, outputs: outputs['test'] ?? {} }
}

function bash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{ code: number | null; log: string }> {
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], { cwd, env })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      log += text
    })
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, log })))
}

function parseOutputs(text: string): Record<string, string> {
  const matches = [...text.matchAll(/^(.+)<<(.+)\n([\s\S]*?)\n\2$/gm)]
  return Object.fromEntries(matches.map(([, name, , value]) => [name, value]))
}

test('a conforming server passes the step and sets outputs, job summary and reports', async () => {
  const { code, outputs, summary, workspace } = await runAction({ 'deployment-url': await startMockServer() })

  expect(code).toBe(0)
  expect(outputs).toEqual({
    verdict: 'conformant',
    sentence: expect.stringMatching(/^Conformant: \d+ of \d+/),
    'exit-code': '0',
    failed: '0',
    report: join(workspace, 'touchstone-report'),
  })
  expect(summary).toContain(outputs['sentence'])
  expect(await readFile(join(workspace, 'touchstone-report/junit.xml'), 'utf8')).toContain('<testsuites')
})

test('a defect fails the step and annotates the requirement without showing a secret', async () => {
  const key = 'k-5e884898da28'
  const url = await startMockServer({}, (fetch) => async (request) => {
    return request.headers.get('x-api-key') === key ? busy(fetch)(request) : new Response('', { status: 403 })
  })

  const { code, outputs, log, summary } = await runAction(
    { 'deployment-url': url, headers: 'X-Api-Key: env:API_KEY\nx-note: tested\n', report: 'out' },
    { API_KEY: key },
  )

  expect(code).toBe(1)
  expect(outputs).toMatchObject({ verdict: 'non-conformant', 'exit-code': '1', failed: '1' })
  expect(log).toMatch(/^::error title=thread\.fields\.status\.default::/m)
  expect(summary).toContain('thread.fields.status.default')
  expect(log + summary).not.toContain(key)
})

test('fail-on decides whether an incomplete run fails the step', async () => {
  const site = join(await mkdtemp(join(folder, 'site-')), 'server')
  await mkdir(site)
  // Without test graphs, few checks run.
  const graphs = '{ echo: false, slow: false, tools: false, fail: false, whoami: false, chat: false }'
  const target = `{ endpoints: { open: { url: '${await startMockServer()}' } }, graphs: ${graphs} }`
  const source = `import { defineTarget } from 'touchstone'\nexport default defineTarget(${target})\n`
  await writeFile(join(site, 'touchstone.config.ts'), source)

  const strict = await runAction({ 'working-directory': site })
  const lenient = await runAction({ 'working-directory': site, 'fail-on': 'failure' })

  expect(strict).toMatchObject({ code: 3, outputs: { verdict: 'incomplete', 'exit-code': '3' } })
  expect(lenient).toMatchObject({ code: 0, outputs: { verdict: 'incomplete', 'exit-code': '3' } })
})

test('installs and runs the given version of the package', async () => {
  const checkout = fileURLToPath(new URL('../../..', import.meta.url))
  const folderOfNpm = await mkdtemp(join(folder, 'npm-'))
  // Replaces npm: installs this checkout in place of any package.
  const script = `#!/bin/sh\necho "npm $@"\nmkdir -p node_modules\nln -sfn '${checkout}' node_modules/touchstone\n`
  await writeFile(join(folderOfNpm, 'npm'), script, { mode: 0o755 })

  const { code, log } = await runAction({ version: '0.9.1' }, { PATH: `${folderOfNpm}:${environment['PATH']}` })

  expect(log).toMatch(/^npm install .*touchstone@0\.9\.1 /)
  expect(log).toContain('expected a target, received none. Give --deployment-url URL')
  expect(code).toBe(2)
})

test('a usage error always fails the step and leaves no result of an earlier step', async () => {
  const { code, outputs, log, summary } = await runAction({ 'fail-on': 'never' })

  expect(code).toBe(2)
  expect(outputs).toMatchObject({ verdict: 'usage-error', 'exit-code': '2' })
  expect(outputs).not.toHaveProperty('report')
  expect(log).toContain('expected a target, received none. Give --deployment-url URL')
  expect(summary).toContain('Nothing was tested')
})

test.each([
  [{ 'fail-on': 'sometimes' }, 'fail-on: expected incomplete, failure, never, received sometimes'],
  [{ version: '1.0.0; rm x' }, 'version: expected a version or a tag such as 0.1.0 or latest, received 1.0.0; rm x'],
])('rejects an invalid input: %s', async (inputs, words) => {
  const { code, log } = await runAction(inputs)

  expect(code).toBe(2)
  expect(log).toContain(words)
})
