import { expect, test } from 'vitest'
import { command } from '../fixtures/touchstone.ts'

test('explains a requirement with the statements it tests, its scenarios, defects and what it needs', async () => {
  const { code, stdout } = await command(['explain', 'auth.user.placed'])

  expect(code).toBe(0)
  const [facts, strength] = stdout.split('Strength:\n')
  expect(strength).toMatch(
    /^ {2}detects \d+ mutants?(?: and \d+ generated mutants?)?(?:; \d+ conforming variants? pass(?:es)?)?\n$/,
  )
  expect(facts?.match(/^\S.*$/gm)).toEqual([
    'MUST auth.user.placed',
    "The graph's configuration contains the object that the authentication handler returned.",
    ...['Section:', 'Interpretation:', 'Tests:', 'Exercised by:', 'Fails, for example, if:', 'Needs:'],
  ])
  expect(facts).toContain('Tests:\n  Authentication / Deployment API: item 5, sentence 1a\n    The returned object ')
  expect(facts).toContain('Needs:\n  an endpoint of the deployment API with custom authentication, by the handler of ')
})

test('explains a requirement of clients', async () => {
  const { code, stdout } = await command(['explain', 'client.server.crlf'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^MUST client\.server\.crlf\n.*\n\nSection:\n.*\nDecided by:\n.*\n$/),
  })
})

test('explains why a requirement is not testable', async () => {
  const { stdout } = await command(['explain', 'export.limits.timeout'])

  expect(stdout).toContain('Not testable:\n  ')
  expect(stdout).toContain('Belongs to:\n  Limits: row 2\n')
  expect(stdout).not.toContain('Needs:')
})

test('prints the statements of a section by its heading or its last part, in any case', async () => {
  const { code, stdout } = await command(['explain', 'thread status'])

  expect(code).toBe(0)
  expect(stdout).toMatch(/^States and transitions \/ Thread status: 2 statements, 1 tested, 1 not testable\n/)
  expect(stdout).toContain('sentence 1\n  A new thread is `idle`.\n    thread.fields.status.default\n')
  expect(stdout).toContain(
    'Not testable: The specification leaves this open.\n    thread.status.other-values (observed)\n',
  )
  expect((await command(['explain', 'States and transitions / Thread status'])).stdout).toBe(stdout)
})

test('prints the statements about one request', async () => {
  const { stdout } = await command(['explain', 'POST /assistants'])

  expect(stdout).toContain('POST /assistants, request a\n')
  expect(stdout).not.toContain('POST /assistants/search')
})

test.each([
  ['run.join.wait', 'Did you mean run.join.waits?'],
  ['thread stat', 'Did you mean Thread state?'],
  ['GET /thread', 'Did you mean GET /threads?'],
])('suggests the nearest name for %s and exits with 2', async (name, suggestion) => {
  const { code, stdout, stderr } = await command(['explain', name])

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(`received "${name}". ${suggestion}`)
})
