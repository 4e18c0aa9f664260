import { describe, expect, test } from 'vitest'
import { command as run } from '../fixtures/touchstone.ts'

const programHelp = await run(['--help'])
const commands = [...programHelp.stdout.matchAll(/^ {2}([a-z]+) (?:\[options\]|<)/gm)].map(([, name = '']) => name)

test('lists all commands and an example to start with', () => {
  expect(programHelp).toMatchObject({ code: 0, stderr: '' })
  expect(commands).toEqual(expect.arrayContaining(['test', 'serve', 'init', 'list', 'report', 'conformance']))
  expect(programHelp.stdout).toContain('$ touchstone test --deployment-url')
})

test.each(commands)('explains %s with examples that use only its options', async (command) => {
  const { code, stdout, stderr } = await run([command, '--help'])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [options = '', prose = ''] = stdout.split(/^ +-h, --help.*$/m)
  expect(prose).toMatch(/^[A-Z][^.]{20,}\./m)
  const examples = [...prose.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line)
  expect(examples.length).toBeGreaterThan(1)
  const invocations = examples.flatMap((line) => line.split(`touchstone ${command}`).slice(1))
  expect(invocations.length).toBe(examples.length)
  const used = invocations.flatMap((line) => [...line.matchAll(/(?<= )--[a-z-]+/g)].map(([option]) => option))
  expect(used.filter((option) => !options.includes(`  ${option}`))).toEqual([])
})

test('groups the options of test, each with its explanation', async () => {
  const { stdout } = await run(['test', '--help'])

  expect(stdout.match(/^\w+:$/gm)).toEqual(['Target:', 'Selection:', 'Output:', 'Export:', 'Options:', 'Examples:'])
  expect(stdout).toMatch(/^ {2}--export-url <url> {5,}\w.*\n {26}"export"/m)
})

test.each(commands)('help %s prints the same as --help', async (command) => {
  expect(await run(['help', command])).toEqual(await run([command, '--help']))
})

describe('suggests the name for a mistyped command or option and exits with 2', () => {
  test.each([
    [['tset'], '(Did you mean test?)'],
    [['tset', '--help'], '(Did you mean test?)'],
    [['confromance'], '(Did you mean conformance?)'],
    [['test', '--deploymnt-url', 'x'], '(Did you mean --deployment-url?)'],
    [['test', '--basline', 'x'], '(Did you mean --baseline?)'],
    [['serve', '--dialct', 'x'], '(Did you mean --dialect?)'],
    [['init', '--ouput', 'x'], '(Did you mean --output?)'],
    [['list', '--jsn'], '(Did you mean --json?)'],
    [['report', '--fromat', 'x'], '(Did you mean --format?)'],
    [['conformance', '--reprot', 'x'], '(Did you mean --report?)'],
  ])('%s', async (args, remedy) => {
    const { code, stdout, stderr } = await run(args)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: unknown (?:command|option) /)
    expect(stderr).toContain(remedy)
  })
})
