import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import { createMockServer } from '../../../mock-server/index.ts'
import { scenario } from '../../../suites/scenarios/scenario.ts'
import { failingOnReference } from '../../../targets/mutants/test-mutant.ts'
import { startNode, temporaryFolder, touchstone } from '../../fixtures/touchstone.ts'

const run = fileURLToPath(new URL('../../../targets/mutants/run.ts', import.meta.url))
const serve = fileURLToPath(new URL('../../../targets/mutants/serve.ts', import.meta.url))

describe('usage errors end with exit code 2 and one message', () => {
  test.each<[string, string, string[], string]>([
    ['no matching mutant', run, ['--only', 'no-such-mutant'], 'no mutant id contains "no-such-mutant"'],
    ['an unknown option', run, ['--onyl', 'x'], "Unknown option '--onyl'"],
    ['no mutant to serve', serve, [], 'the id of a mutant is missing'],
    ['a misspelled id', serve, ['thread.create.id-reusd'], '\n  thread.create.id-reused\n'],
    [
      'an invalid port',
      serve,
      ['thread.create.id-reused', 'x'],
      'PORT: expected an integer from 0 to 65535, received "x"',
    ],
  ])('%s', async (_, command, args, message) => {
    const { code, stdout, stderr } = await startNode([command, ...args]).ended
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('a port in use', async () => {
    const server = await listen(createMockServer(), { port: 0 })
    const { port } = new URL(server.url)
    const { code, stderr } = await startNode([serve, 'thread.create.id-reused', port]).ended
    await server.close()
    expect(code).toBe(2)
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use`)
  })
})

test('--help lists the options of the mutants run', async () => {
  const { code, stdout } = await startNode([run, '--help']).ended
  expect(code).toBe(0)
  expect(stdout).toContain('--only TEXT')
})

test('finds checks that fail on the mock server without a defect', async () => {
  const failing = scenario(['thread.create.accepts-empty-object'], 'sends no JSON', ({ deployment }) =>
    deployment.http.send({ method: 'POST', path: '/threads', body: '{"metadata":' }),
  )
  const passing = scenario(['run.create.answers-run'], 'creates a run', ({ deployment }) =>
    deployment.runToEnd({ graph: 'echo' }),
  )

  expect(await failingOnReference([failing, passing])).toEqual(['thread.create.accepts-empty-object'])
})

test('serves a mutant with the command that tests it', async () => {
  const running = startNode([serve, 'export.schedule.row-twice'])
  const [defect, , hint = ''] = (await running.firstLine).split('\n')
  expect(defect).toBe('scheduled exports contain each run twice')
  const command = hint.replace('test it with: npx touchstone ', '')
  const folder = await temporaryFolder()
  const { code, stdout } = await touchstone([
    ...command.split(' '),
    '--id',
    'export.file.rows.once',
    '--report',
    folder,
  ])
  running.process.kill('SIGTERM')
  expect({ code, end: (await running.ended).code }).toEqual({ code: 1, end: 0 })
  expect(stdout).toContain('✗ export.file.rows.once')
})

test('lists mutants', async () => {
  const { code, stdout } = await startNode([serve, '--list', 'row-twice']).ended
  expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, lines: 3 })
})
