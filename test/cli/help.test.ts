import { describe, expect, test } from 'vitest'
import { command as run } from '../fixtures/touchstone.ts'

const whole = await run(['--help'])
const commands = [...whole.stdout.matchAll(/^ {2}([a-z]+) (?:\[options\]|<)/gm)].map(([, name = '']) => name)

test('the help of the program lists all commands, and shows how to begin', () => {
  expect(whole).toMatchObject({ code: 0, stderr: '' })
  expect(commands).toEqual(expect.arrayContaining(['test', 'serve', 'init', 'list', 'report', 'conformance']))
  expect(whole.stdout).toContain('$ touchstone test --deployment-url')
})

test.each(commands)('the help of %s explains itself, with examples that use only what there is', async (command) => {
  const { code, stdout, stderr } = await run([command, '--help'])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [options = '', prose = ''] = stdout.split(/^ +-h, --help.*$/m)
  expect(prose).toMatch(/^[A-Z][^.]{20,}\./m)
  const examples = [...prose.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line)
  expect(examples.length).toBeGreaterThan(1)
  const own = examples.flatMap((line) => line.split(`touchstone ${command}`).slice(1))
  expect(own.length).toBe(examples.length)
  const used = own.flatMap((line) => [...line.matchAll(/(?<= )--[a-z-]+/g)].map(([option]) => option))
  expect(used.filter((option) => !options.includes(`  ${option}`))).toEqual([])
})

test.each(commands)('help %s is the same as --help', async (command) => {
  expect(await run(['help', command])).toEqual(await run([command, '--help']))
})

describe('what was mistyped is told with what was probably meant, exit code 2', () => {
  test.each([
    [['tset'], '(Did you mean test?)'],
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
