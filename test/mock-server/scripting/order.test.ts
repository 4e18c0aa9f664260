import { expect, test } from 'vitest'
import { createMockServer } from '../../../mock-server/index.ts'
import { seededRandom } from '../../../mock-server/runtime/random.ts'
import { fail, interrupt, say } from '../../../mock-server/scripting/steps.ts'
import { say as input } from '../../fixtures/mock-client.ts'
import { sdkThread } from '../../fixtures/sdk-thread.ts'

test('an exhausted script fails the run with its graph and number of replies', async () => {
  const mock = createMockServer()
  mock.script('support', 'Hello!', 'Bye.')
  const { client, thread_id, ask, stream } = await sdkThread(mock)
  await ask('support', 'A')
  await ask('support', 'B')

  expect(await stream('support', input('C'))).toEqual([
    {
      error: 'ScriptExhausted',
      message:
        'The script of the graph "support" has no reply for run 3, only 2 in total. Add a reply, or end the script with repeat() or otherwise(reply).',
    },
  ])
  expect((await client.runs.list(thread_id))[0]?.status).toBe('error')
})

test('a script can repeat or end with a default reply', async () => {
  const mock = createMockServer()
  mock.script('round', 'one', 'two').repeat()
  mock.script('last', 'one').otherwise(({ count }) => `number ${count}`)
  const { ask } = await sdkThread(mock)

  for (const graph of ['round', 'round', 'round', 'last', 'last']) await ask(graph, '')
  expect(await ask('last', '')).toEqual(['', 'one', '', 'two', '', 'one', '', 'one', '', 'number 2', '', 'number 3'])
})

test('threads share a script, or have their own position with perThread', async () => {
  const mock = createMockServer()
  mock.script('shared', 'one', 'two')
  mock.script('own', 'one', 'two').perThread()
  const [first, second] = [await sdkThread(mock), await sdkThread(mock)]

  expect(await first.ask('shared', '')).toEqual(['', 'one'])
  expect(await second.ask('shared', '')).toEqual(['', 'two'])
  expect(await first.ask('own', '')).toEqual(['', 'one', '', 'one'])
  expect(await second.ask('own', '')).toEqual(['', 'two', '', 'one'])
})

test('a rejected run consumes no reply', async () => {
  const mock = createMockServer()
  const script = mock.script('support', 'one', 'two')
  const { client, thread_id } = await sdkThread(mock)

  await client.runs.create(thread_id, 'support', input('A'))
  const rejected = client.runs.create(thread_id, 'support', { ...input('B'), multitaskStrategy: 'reject' })
  await expect(rejected).rejects.toThrow('409')
  expect(script.taken).toBe(0)
})

test('replies can be added, and a second script replaces the first', async () => {
  const mock = createMockServer()
  mock.script('support', 'one').add('two')
  const { ask } = await sdkThread(mock)
  await ask('support', '')
  await ask('support', '')

  mock.script('support', 'new')
  expect(await ask('support', '')).toEqual(['', 'one', '', 'two', '', 'new'])
})

test('a script can replace a graph of the server', async () => {
  const mock = createMockServer()
  mock.script('echo', 'No echo.')
  const { ask } = await sdkThread(mock)

  expect(await ask('echo', 'A')).toEqual(['A', 'No echo.'])
})

test('reset restarts scripts, and restore returns to their position in the snapshot', async () => {
  const mock = createMockServer({ random: seededRandom(1) })
  mock.script('support', 'one', 'two', 'three')
  const before = await sdkThread(mock)
  await before.ask('support', '')
  const snapshot = mock.snapshot()
  await before.ask('support', '')
  mock.restore(snapshot)
  expect(await before.ask('support', '')).toEqual(['', 'one', '', 'two'])

  mock.reset(1)
  expect(await (await sdkThread(mock)).ask('support', '')).toEqual(['', 'one'])
})

test('restore keeps scripts that were added after the snapshot', async () => {
  const mock = createMockServer()
  const snapshot = mock.snapshot()
  mock.script('support', 'one')
  mock.restore(snapshot)

  expect(await (await sdkThread(mock)).ask('support', '')).toEqual(['', 'one'])
})

test('a function that throws fails the run with its error', async () => {
  const mock = createMockServer()
  const throwing = () => {
    throw new SyntaxError('a mistake in the test')
  }
  mock.script('support', throwing, [say('one'), throwing])
  const { stream } = await sdkThread(mock)

  const error = { error: 'SyntaxError', message: 'a mistake in the test' }
  expect(await stream('support', input(''))).toEqual([error])
  expect((await stream('support', input(''))).at(-1)).toEqual(error)
})

test('a scripted failure repeats for a run without input', async () => {
  const mock = createMockServer()
  mock.script('support', fail('boom'))
  const { stream } = await sdkThread(mock)

  await stream('support', input(''))
  expect(await stream('support', { input: null })).toEqual([{ error: 'Error', message: 'boom' }])
})

test('rejects an invalid reply, immediately or when a function returns it', async () => {
  const mock = createMockServer()
  const scripting = (reply: unknown) => () => mock.script('support', 'fine', reply as string)

  expect(scripting({ sya: 'Hello' })).toThrow(
    'Reply 2 of the graph "support": expected a text, a function, or an object with one of say, stream, callTool, interrupt, fail, pause, emit, setState, subgraph; received {"sya":"Hello"}',
  )
  expect(scripting([say('one'), { pause: 'long' }])).toThrow(
    'Reply 2 of the graph "support", step 2: Field "pause": expected number, received "long"',
  )
  expect(scripting([['nested']])).toThrow('received an array inside an array')
  expect(() => mock.script('')).toThrow('A script needs the name of its graph, received ""')

  mock.script('later', () => Promise.resolve('late') as never)
  const { stream } = await sdkThread(mock)
  expect(await stream('later', input(''))).toMatchObject([{ error: 'TypeError', message: /promise/ }])
})

test('an interrupt can be resumed again from its checkpoint', async () => {
  const mock = createMockServer()
  mock.script('support', [say('one'), interrupt('?'), say('two')], 'other')
  const { client, thread_id, stream, contents } = await sdkThread(mock)
  await stream('support', input('A'))

  const { checkpoint } = await client.threads.getState(thread_id)
  await stream('support', { command: { resume: 1 } })
  await stream('support', { command: { resume: 1 }, checkpointId: checkpoint.checkpoint_id ?? '' })
  expect(await contents()).toEqual(['A', 'one', 'two'])
})
