import type { Client } from '@langchain/langgraph-sdk'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../../mock-server/index.ts'
import type { RuleCondition, ScenarioRules } from '../../../mock-server/scripting/rules.ts'
import { checkScenario, scenarioJsonSchema } from '../../../mock-server/scripting/scenario.ts'
import { sdkThread } from '../../fixtures/sdk-thread.ts'

type Payload = NonNullable<Parameters<Client['runs']['wait']>[2]>

/** A mock server whose graph `support` has these rules. */
function mockWith(script: ScenarioRules, options: Parameters<typeof createMockServer>[0] = {}): MockServer {
  return createMockServer({ ...options, scenario: { graphs: { support: script } } })
}

/** Returns whether a run with these messages gets the reply of a rule with this condition. */
async function isMatch(when: RuleCondition, messages: unknown, payload: Payload = {}): Promise<boolean> {
  const mock = mockWith({ rules: [{ when, reply: 'matched' }], otherwise: 'not matched' })
  const { client } = await sdkThread(mock)
  const values = await client.runs.wait(null, 'support', { input: { messages }, ...payload })
  return JSON.stringify(values).includes('"matched"')
}

const human = (content: string) => ({ role: 'user', content })
const toolCall = (id: string, name: string) => ({ role: 'ai', content: '', tool_calls: [{ id, name, args: {} }] })
const toolResult = (tool_call_id: string, content: string, fields: object = {}) => {
  return { role: 'tool', tool_call_id, content, ...fields }
}

test('the first rule that matches chooses the reply, as often as it matches', async () => {
  const mock = mockWith({
    rules: [
      { when: { text: 'Hi' }, reply: 'Hello!' },
      {
        when: { text: { pattern: 'order (7|8)' } },
        reply: [{ callTool: { name: 'lookup', args: {}, result: 'shipped' } }, 'Soon.'],
      },
      { when: { text: { pattern: 'order' } }, reply: 'Which one?' },
    ],
    otherwise: 'Pardon?',
  })
  const { ask } = await sdkThread(mock)
  for (const text of ['Where is order 7?', 'My order', 'Hi', 'Hi']) await ask('support', text)
  const replies = [
    'Where is order 7?',
    '',
    'shipped',
    'Soon.',
    'My order',
    'Which one?',
    'Hi',
    'Hello!',
    'Hi',
    'Hello!',
  ]
  expect(await ask('support', 'Hi there')).toEqual([...replies, 'Hi there', 'Pardon?'])
  expect(mock.scripts.list()).toEqual([{ graph: 'support', taken: 5 }])
})

test.each<[when: RuleCondition, text: string, expected: boolean]>([
  [{ text: 'Hi' }, 'Hi', true],
  [{ text: 'Hi' }, 'Hi!', false],
  [{ text: { pattern: '^hi\\b', flags: 'i' } }, 'Hi!', true],
  [{ text: { pattern: '^hi\\b' } }, 'Hi!', false],
  [{ turn: 1 }, 'Hi', true],
  [{ turn: 2 }, 'Hi', false],
  [{ text: 'Hi', turn: 2 }, 'Hi', false],
])('the condition %j for the text %j: %j', async (when, text, expected) => {
  expect(await isMatch(when, [human(text)])).toBe(expected)
})

test('the turn is the number of human messages in the thread', async () => {
  const mock = mockWith({
    rules: [
      { when: { turn: 1 }, reply: 'one' },
      { when: { turn: 2 }, reply: 'two' },
    ],
    otherwise: 'many',
  })
  const { ask } = await sdkThread(mock)
  await ask('support', 'a')
  await ask('support', 'b')
  expect(await ask('support', 'c')).toEqual(['a', 'one', 'b', 'two', 'c', 'many'])
})

const called = [human('Where?'), toolCall('1', 'lookup'), toolResult('1', 'shipped')]

test.each<[when: RuleCondition['toolResult'], messages: unknown[], expected: boolean]>([
  [{}, called, true],
  [{}, [human('Where?')], false],
  [{}, [...called, human('And?')], false],
  [{ name: 'lookup', text: 'shipped', status: 'success' }, called, true],
  [{ text: { pattern: '^ship' } }, called, true],
  [{ name: 'weather' }, called, false],
  [{ text: 'lost' }, called, false],
  [{ status: 'error' }, called, false],
  [{ status: 'error' }, [human('Where?'), toolCall('1', 'lookup'), toolResult('1', '', { status: 'error' })], true],
  [{ name: 'b', text: 'B' }, [toolCall('1', 'a'), toolResult('1', 'A'), toolResult('2', 'B', { name: 'b' })], true],
  [{ name: 'b', text: 'A' }, [toolCall('1', 'a'), toolResult('1', 'A'), toolResult('2', 'B', { name: 'b' })], false],
])('the condition of a tool result %j', async (condition, messages, expected) => {
  expect(await isMatch({ toolResult: condition ?? {} }, messages)).toBe(expected)
})

test.each<[expected: object, matches: boolean]>([
  [{ locale: 'de' }, true],
  [{ locale: 'en' }, false],
  [{ flags: { beta: true } }, true],
  [{ flags: { beta: false } }, false],
  [{ tags: ['a', 'b'] }, true],
  [{ tags: ['a'] }, false],
  [{ missing: null }, false],
  [{ toString: {} }, false],
])('the condition of configurable %j', async (configurable, matches) => {
  const config = { configurable: { locale: 'de', flags: { beta: true, old: 1 }, tags: ['a', 'b'] } }
  expect(await isMatch({ configurable: { ...configurable } }, [human('Hi')], { config })).toBe(matches)
})

test('rules choose by the user', async () => {
  const auth = {
    authenticate: (request: Request) => {
      return { identity: request.headers.get('x-user') ?? 'nobody', role: 'reader', teams: { sales: true } }
    },
  }
  const script: ScenarioRules = {
    rules: [
      { when: { user: 'ann' }, reply: 'Hello Ann' },
      { when: { user: { role: 'reader', teams: { sales: true } } }, reply: 'Hello reader' },
    ],
  }
  const mock = mockWith(script, { auth })
  const reply = async (user: string): Promise<string> => {
    const body = JSON.stringify({ assistant_id: 'support', input: {} })
    const response = await mock.fetch('http://mock/runs/wait', { method: 'POST', headers: { 'x-user': user }, body })
    const values = (await response.json()) as { messages: { content: string }[] }
    return values.messages[0]?.content ?? ''
  }
  expect([await reply('ann'), await reply('bob')]).toEqual(['Hello Ann', 'Hello reader'])
})

test('a run fails with the message and the rules if no rule matches', async () => {
  const mock = mockWith({
    rules: [
      { when: { text: 'Hi' }, reply: 'Hello!' },
      { when: { configurable: { locale: 'de' } }, reply: 'Guten Tag' },
    ],
  })
  const { client, thread_id } = await sdkThread(mock)
  const config = { configurable: { locale: 'en', token: 'not shown' } }
  const { run_id } = await client.runs.create(thread_id, 'support', { input: { messages: [human('No')] }, config })
  expect(await client.runs.join(thread_id, run_id)).toEqual({
    __error__: {
      error: 'NoRuleMatched',
      message:
        'No rule of the graph "support" matches the run {"text":"No","turn":1,"configurable":{"locale":"en"}}. ' +
        'The rules are: 1. {"text":"Hi"}; 2. {"configurable":{"locale":"de"}}. Add a rule, or set "otherwise".',
    },
  })
})

test.each<[script: unknown, message: string]>([
  [{ rules: [] }, 'Field "graphs.a.rules": expected at least one rule'],
  [{ rules: [{ reply: 'x' }] }, 'Field "graphs.a.rules.0.when": expected object, received nothing'],
  [{ rules: [{ when: { turn: 1 } }] }, 'Field "graphs.a.rules.0.reply": expected a reply, received nothing'],
  [{ rules: [{ when: {}, reply: 'x' }] }, 'expected at least one of text, turn, toolResult, user and configurable'],
  [{ rules: [{ when: { txt: 'x' }, reply: 'x' }] }, 'Field "graphs.a.rules.0.when": unknown key "txt"'],
  [{ rules: [{ when: { text: 7 }, reply: 'x' }] }, 'expected a text, or an object with "pattern", received 7'],
  [{ rules: [{ when: { turn: 0 }, reply: 'x' }] }, 'expected a whole number from 1, received 0'],
  [{ rules: [{ when: { turn: 1 }, reply: [1] }] }, 'The reply of rule 1 of the graph "a", step 1: expected a text'],
  [
    { rules: [{ when: { turn: 1 }, reply: 'x' }], replies: [] },
    'unknown key "replies"; expected only rules, otherwise',
  ],
])('rejects the script %j', (script, message) => {
  expect(() => checkScenario({ graphs: { a: script } })).toThrow(message)
})

const withPattern = (pattern: string, flags?: string) => ({
  graphs: { a: { rules: [{ when: { text: { pattern, ...(flags !== undefined && { flags }) } }, reply: 'x' }] } },
})

test.each([
  ['(', 'without errors (Unterminated group)'],
  ['a(?=b)', 'without lookaround such as (?=…)'],
  ['(a)\\1', 'without backreferences such as \\1'],
])('rejects the pattern %j', (pattern, message) => {
  expect(() => checkScenario(withPattern(pattern))).toThrow(
    `Field "graphs.a.rules.0.when.text.pattern": expected a regular expression ${message}`,
  )
})

test('accepts flags that do not keep a position', () => {
  expect(() => checkScenario(withPattern('\\p{L}+', 'iu'))).not.toThrow()
  for (const flags of ['g', 'y', 'ii', 'x']) {
    expect(() => checkScenario(withPattern('a', flags))).toThrow(
      'expected each of the flags i, m, s and u at most once',
    )
  }
})

test('the published schema describes rules', () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(JSON.parse(scenarioJsonSchema()))
  const conditions: RuleCondition[] = [
    { text: 'a' },
    { text: { pattern: 'a', flags: 'i' }, turn: 2 },
    { toolResult: { name: 'a', text: { pattern: 'b' }, status: 'error' } },
    { user: 'ann' },
    { user: { role: 'author' }, configurable: { locale: 'de' } },
  ]
  const file = (when: unknown) => ({ graphs: { a: { rules: [{ when, reply: ['x'] }], otherwise: 'y' } } })
  for (const when of conditions) expect(validate(file(when)), JSON.stringify(validate.errors)).toBe(true)
  for (const when of [{}, { turn: 0 }, { txt: 'a' }, { text: { flags: 'i' } }]) expect(validate(file(when))).toBe(false)
})
