import { expect, test } from 'vitest'
import { createMockServer } from '../../../mock-server/index.ts'
import { seededRandom } from '../../../mock-server/runtime/random.ts'
import { fail, interrupt, say } from '../../../mock-server/scripting/steps.ts'
import { say as input } from '../../fixtures/mock-client.ts'
import { sdkScene } from '../../fixtures/sdk-client.ts'

test('a script that has run out fails the run, and says of which graph and how many answers there were', async () => {
  const mock = createMockServer()
  mock.script('support', 'Hello!', 'Bye.')
  const { client, thread_id, ask, stream } = await sdkScene(mock)
  await ask('support', 'A')
  await ask('support', 'B')

  expect(await stream('support', input('C'))).toEqual([
    {
      error: 'ScriptExhausted',
      message:
        'The script of the graph "support" has no answer for run 3: 2 were given. Add one, or end the script with repeat() or otherwise(answer).',
    },
  ])
  expect((await client.runs.list(thread_id))[0]?.status).toBe('error')
})

test('a script may begin again, or answer in one way from then on', async () => {
  const mock = createMockServer()
  mock.script('round', 'one', 'two').repeat()
  mock.script('last', 'one').otherwise(({ count }) => `number ${count}`)
  const { ask } = await sdkScene(mock)

  for (const graph of ['round', 'round', 'round', 'last', 'last']) await ask(graph, '')
  expect(await ask('last', '')).toEqual(['', 'one', '', 'two', '', 'one', '', 'one', '', 'number 2', '', 'number 3'])
})

test('answers are in one row for all threads, or in one for each', async () => {
  const mock = createMockServer()
  mock.script('shared', 'one', 'two')
  mock.script('own', 'one', 'two').perThread()
  const [first, second] = [await sdkScene(mock), await sdkScene(mock)]

  expect(await first.ask('shared', '')).toEqual(['', 'one'])
  expect(await second.ask('shared', '')).toEqual(['', 'two'])
  expect(await first.ask('own', '')).toEqual(['', 'one', '', 'one'])
  expect(await second.ask('own', '')).toEqual(['', 'two', '', 'one'])
})

test('a refused run takes no answer', async () => {
  const mock = createMockServer()
  const script = mock.script('support', 'one', 'two')
  const { client, thread_id } = await sdkScene(mock)

  await client.runs.create(thread_id, 'support', input('A'))
  const refused = client.runs.create(thread_id, 'support', { ...input('B'), multitaskStrategy: 'reject' })
  await expect(refused).rejects.toThrow('409')
  expect(script.taken).toBe(0)
})

test('answers can be added, and a second script takes the place of the first', async () => {
  const mock = createMockServer()
  mock.script('support', 'one').add('two')
  const { ask } = await sdkScene(mock)
  await ask('support', '')
  await ask('support', '')

  mock.script('support', 'new')
  expect(await ask('support', '')).toEqual(['', 'one', '', 'two', '', 'new'])
})

test('a graph of the server can be scripted, too', async () => {
  const mock = createMockServer()
  mock.script('echo', 'No echo.')
  const { ask } = await sdkScene(mock)

  expect(await ask('echo', 'A')).toEqual(['A', 'No echo.'])
})

test('a reset begins every script again; a snapshot knows where they stood', async () => {
  const mock = createMockServer({ random: seededRandom(1) })
  mock.script('support', 'one', 'two', 'three')
  const before = await sdkScene(mock)
  await before.ask('support', '')
  const snapshot = mock.snapshot()
  await before.ask('support', '')
  mock.restore(snapshot)
  expect(await before.ask('support', '')).toEqual(['', 'one', '', 'two'])

  mock.reset(1)
  expect(await (await sdkScene(mock)).ask('support', '')).toEqual(['', 'one'])
})

test('a graph that was scripted after a snapshot is still there when that is restored', async () => {
  const mock = createMockServer()
  const snapshot = mock.snapshot()
  mock.script('support', 'one')
  mock.restore(snapshot)

  expect(await (await sdkScene(mock)).ask('support', '')).toEqual(['', 'one'])
})

test('a function that throws fails the run with its error', async () => {
  const mock = createMockServer()
  const broken = () => {
    throw new SyntaxError('a mistake in the test')
  }
  mock.script('support', broken, [say('one'), broken])
  const { stream } = await sdkScene(mock)

  const error = { error: 'SyntaxError', message: 'a mistake in the test' }
  expect(await stream('support', input(''))).toEqual([error])
  expect((await stream('support', input(''))).at(-1)).toEqual(error)
})

test('a failure at the end of an answer stays', async () => {
  const mock = createMockServer()
  mock.script('support', fail('boom'))
  const { stream } = await sdkScene(mock)

  await stream('support', input(''))
  expect(await stream('support', { input: null })).toEqual([{ error: 'Error', message: 'boom' }])
})

test('what is no answer is refused in words, at once or when a function returns it', async () => {
  const mock = createMockServer()
  const given = (answer: unknown) => () => mock.script('support', 'fine', answer as string)

  expect(given({ sya: 'Hello' })).toThrow(
    'Answer 2 of the graph "support": expected a text, a function, or an object with one of say, stream, callTool, interrupt, fail, pause, emit, setState; received {"sya":"Hello"}',
  )
  expect(given([say('one'), { pause: 'long' }])).toThrow(
    'Answer 2 of the graph "support", step 2: Field "pause": expected number, received "long"',
  )
  expect(given([['nested']])).toThrow('received an array inside an array')
  expect(() => mock.script('')).toThrow('A script needs the name of its graph, received ""')

  mock.script('later', () => Promise.resolve('late') as never)
  const { stream } = await sdkScene(mock)
  expect(await stream('later', input(''))).toMatchObject([{ error: 'TypeError', message: /promise/ }])
})

test('a question can be answered again, from the checkpoint that asks it', async () => {
  const mock = createMockServer()
  mock.script('support', [say('one'), interrupt('?'), say('two')], 'other')
  const { client, thread_id, stream, contents } = await sdkScene(mock)
  await stream('support', input('A'))

  const { checkpoint } = await client.threads.getState(thread_id)
  await stream('support', { command: { resume: 1 } })
  await stream('support', { command: { resume: 1 }, checkpointId: checkpoint.checkpoint_id ?? '' })
  expect(await contents()).toEqual(['A', 'one', 'two'])
})
