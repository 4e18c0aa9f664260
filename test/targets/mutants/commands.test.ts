import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import { createMockServer } from '../../../mock-server/index.ts'
import { check } from '../../../suites/harness/check.ts'
import { brokenOnReference } from '../../../targets/mutants/reference.ts'
import { startNode } from '../../fixtures/process.ts'

const run = fileURLToPath(new URL('../../../targets/mutants/run.ts', import.meta.url))
const serve = fileURLToPath(new URL('../../../targets/mutants/serve.ts', import.meta.url))

describe('what a command about mutants cannot do is refused in a sentence, with exit code 2', () => {
  test.each<[string, string, string[], string]>([
    ['a mutant that is not there', run, ['--only', 'no-such-mutant'], 'no id of a mutant contains "no-such-mutant"'],
    ['an unknown option', run, ['--onyl', 'x'], "Unknown option '--onyl'"],
    ['an option without its value', run, ['--only'], "'--only <value>' argument missing"],
    ['no mutant to serve', serve, [], 'the id of a mutant is missing'],
    ['an id that is nearly right', serve, ['thread.create.id-reusd'], '\n  thread.create.id-reused\n'],
    ['a port that is no number', serve, ['thread.create.id-reused', 'x'], 'the port "x" is no whole number'],
  ])('%s', async (_, command, args, words) => {
    const { code, stdout, stderr } = await startNode([command, ...args]).ended
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(words)
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

test('the kill table tells its options', async () => {
  const { code, stdout } = await startNode([run, '--help']).ended
  expect(code).toBe(0)
  expect(stdout).toContain('--only TEXT')
})

test('a check that fails without any defect is named: it catches nothing', async () => {
  const failing = check('thread.create.fresh-id', 'never holds', async ({ verify }) =>
    verify(false, 'it', 'more', 'less'),
  )
  const sound = check('thread.create.answers-json', 'holds', async ({ deployment }) => void (await deployment.thread()))

  expect(await brokenOnReference([failing, sound])).toEqual(['thread.create.fresh-id'])
})

test('a mutant is judged and found', async () => {
  const { code, stdout } = await startNode([run, '--only', 'thread.create.id-reused']).ended
  expect(stdout).toContain('mutants: 1 killed, 0 survived')
  expect(code).toBe(0)
})
