import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { loadScenario } from '../../../mock-server/config/scenario.ts'
import { createMockServer } from '../../../mock-server/index.ts'
import { type Scenario, scenarioJsonSchema } from '../../../mock-server/scripting/scenario.ts'
import {
  callTool,
  callTools,
  emit,
  fail,
  interrupt,
  pause,
  say,
  setState,
  stream,
  subgraph,
} from '../../../mock-server/scripting/steps.ts'
import { deployment } from '../../fixtures/deployment.ts'
import { sdkThread } from '../../fixtures/sdk-thread.ts'

const scenario: Scenario = {
  graphs: {
    support: ['Hello!', [{ callTool: { name: 'lookup', args: { order: 7 }, result: 'shipped' } }, 'On its way.']],
    weather: { replies: ['sun', 'rain'], perThread: true, otherwise: 'snow' },
    dice: { replies: ['one', 'two'], repeat: true },
  },
}

/** Writes a file and returns its path. */
async function file(name: string, content: string): Promise<string> {
  return join(await deployment({ graphs: {} }, { [name]: content }), '..', name)
}

test('a scenario scripts graphs, and only its graphs are deployed', async () => {
  const mock = createMockServer({ scenario })
  const { ask, client } = await sdkThread(mock)

  await ask('support', 'Hi')
  expect(await ask('support', 'Where?')).toEqual(['Hi', 'Hello!', 'Where?', '', 'shipped', 'On its way.'])
  const assistants = await client.assistants.search()
  expect(assistants.map(({ name }) => name).toSorted()).toEqual(['dice', 'support', 'weather'])
})

test('scripts of a scenario support perThread, repeat and otherwise', async () => {
  const mock = createMockServer({ scenario })
  const { ask } = await sdkThread(mock)

  for (const graph of ['weather', 'weather', 'weather', 'dice', 'dice']) await ask(graph, '')
  const replies = (await ask('dice', '')).filter((content) => content !== '')
  expect(replies).toEqual(['sun', 'rain', 'snow', 'one', 'two', 'one'])
  expect(await (await sdkThread(mock)).ask('weather', '')).toEqual(['', 'sun'])
})

test('loads a scenario from JSON or from a module with functions', async () => {
  const json = await file('support.json', JSON.stringify(scenario))
  expect(await loadScenario(json)).toEqual(scenario)

  const module = await file('support.ts', 'export const scenario = { graphs: { support: [({ text }) => text] } }')
  const mock = createMockServer({ scenario: await loadScenario(module) })
  expect(await (await sdkThread(mock)).ask('support', 'Hi')).toEqual(['Hi', 'Hi'])
})

test.for<[problem: string, name: string, content: string, message: string]>([
  ['no JSON', 'a.json', '{', 'is not valid JSON'],
  ['a key twice', 'a.json', '{"graphs":{"a":[],"a":[]}}', 'has the key "a" twice'],
  [
    'an unknown key',
    'a.json',
    '{"graph":{}}',
    'The scenario: unknown key "graph"; expected only $schema, graphs, exports',
  ],
  [
    'an empty reply',
    'a.json',
    '{"graphs":{"a":["x",[]]}}',
    'Reply 2 of the graph "a": expected at least one text or step',
  ],
  [
    'no list of replies',
    'a.json',
    '{"graphs":{"a":"Hello"}}',
    'Field "graphs.a": expected an array of replies, or an object with "replies"',
  ],
  [
    'an unknown step',
    'a.json',
    '{"graphs":{"a":[{"sya":1}]}}',
    'Reply 1 of the graph "a": expected a text, a function, or an object with one of say',
  ],
  [
    'a wrong field of a step',
    'a.json',
    '{"graphs":{"a":["x",["y",{"pause":"1s"}]]}}',
    'Reply 2 of the graph "a", step 2: Field "pause": expected number, received "1s"',
  ],
  [
    'an unknown field of a step',
    'a.json',
    '{"graphs":{"a":[{"say":"x","nod":"y"}]}}',
    'The step "say": unknown key "nod"; expected only say, node, set',
  ],
  ['a module without a scenario', 'a.ts', 'export const other = 1', 'names the variable scenario'],
  ['an unsupported kind of file', 'a.yaml', '', 'expected a module that ends in .ts, .mts, .js, .mjs'],
])('rejects a file with %s', async ([, name, content, message]) => {
  await expect(loadScenario(await file(name, content))).rejects.toThrow(message)
})

test('rejects a missing file', async () => {
  await expect(loadScenario('nowhere.json')).rejects.toThrow(
    'nowhere.json does not exist; expected a JSON file, or a module that exports "scenario"',
  )
})

test('the published schema is up to date (npm run generate writes it)', async () => {
  const published = new URL('../../../mock-server/scripting/scenario.schema.json', import.meta.url)
  expect(await readFile(published, 'utf8')).toBe(scenarioJsonSchema())
})

test('the published schema accepts the steps of every builder and rejects unknown ones', () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(JSON.parse(scenarioJsonSchema()))
  const every = [
    say('a', { node: 'b', set: { c: 1 } }),
    say({ role: 'ai', content: 'a' }),
    stream('a b', { firstMs: 1, everyMs: 1 }),
    stream(['a', { text: 'b', afterMs: 1 }]),
    callTool('a', {}, { b: 1 }, { id: 'c', tookMs: 1, content: 'd' }),
    callTools(callTool('a'), callTool('b', {}, new Error('c'))),
    interrupt({ question: '?' }, { node: 'a' }),
    fail(new RangeError('a')),
    fail('a'),
    pause(1),
    emit({ a: 1 }),
    setState({ a: 1 }, { node: 'b' }),
    subgraph('a', 'b', subgraph('c', pause(1))),
  ]
  const file = { $schema: 'scenario.schema.json', graphs: { ...scenario.graphs, every: [...every, [...every, 'a']] } }
  expect(validate(JSON.parse(JSON.stringify(file))), JSON.stringify(validate.errors)).toBe(true)

  for (const reply of [
    { sya: 'a' },
    1,
    [['a']],
    { pause: -1 },
    { say: 'a', nod: 'b' },
    { subgraph: 'a', steps: [1] },
  ]) {
    expect(validate({ graphs: { a: [reply] } })).toBe(false)
  }
})
