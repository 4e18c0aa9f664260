import { expect, test } from 'vitest'
import { createMockServer } from '../../../mock-server/index.ts'
import { callTool, callTools, fail, say, stream } from '../../../mock-server/scripting/steps.ts'

// Calls that are possible only without types.
test.each<[call: string, create: () => unknown, message: string]>([
  ["callTool('x', 'y')", () => callTool('x', 'y' as never), 'Field "callTool.args": expected object, received "y"'],
  ['callTool(5)', () => callTool(5 as never), 'Field "callTool.name": expected string, received 5'],
  ["callTools('x')", () => callTools('x' as never), 'callTools: expected a callTool(…) as argument 1, received "x"'],
  ['callTools([…])', () => callTools([callTool('x')] as never), 'as argument 1, received an array of 1 item'],
  ['callTools()', () => callTools(), 'Field "callTool": Too small: expected array to have >=1 items'],
  [
    'fail(undefined)',
    () => fail(undefined as never),
    'Field "fail": expected a text, or an Error, which is an object with "error" and "message", received nothing',
  ],
  ['fail({…})', () => fail({ error: 'E' } as never), 'Field "fail.message": expected string, received nothing'],
  ['say(5)', () => say(5 as never), 'Field "say": expected a text or a message, received 5'],
  [
    'say({ content: 5 })',
    () => say({ content: 5 } as never),
    'Field "say.content": expected string or array, received 5',
  ],
  [
    'stream(5)',
    () => stream(5 as never),
    'Field "stream": expected a text, or an array of texts and pieces, received 5',
  ],
  [
    "stream([{ txt: 'a' }])",
    () => stream([{ txt: 'a' }] as never),
    'Field "stream.0.text": expected string, received nothing',
  ],
  [
    "stream('a', { everyMs: NaN })",
    () => stream('a', { everyMs: Number.NaN }),
    'Field "everyMs": expected number, received NaN',
  ],
  [
    'undefined',
    () => undefined,
    'with one of say, stream, callTool, interrupt, fail, pause, emit, setState, subgraph; received nothing',
  ],
  [
    '[]',
    () => [],
    'expected at least one text or step, received an empty array. To reply with no message, use pause(0).',
  ],
])('rejects %s', (_, create, message) => {
  const mock = createMockServer()
  expect(() => mock.script('support', create() as string)).toThrow(message)
})
