import { expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../../mock-server/index.ts'
import { controlClient } from '../../fixtures/control-client.ts'
import { sdkThread } from '../../fixtures/sdk-thread.ts'

/** A mock server, and a function that sends requests to `/__touchstone/scripts`. */
function controlled(mock: MockServer = createMockServer()) {
  const { call } = controlClient(mock)
  return {
    mock,
    scripts: (method: string, path: string, body?: unknown) => call(method, `/__touchstone/scripts${path}`, body),
  }
}

test('PUT replaces the script of a graph', async () => {
  const { mock, scripts } = controlled()
  expect(await scripts('PUT', '/support', ['Hello!', 'Bye.'])).toEqual({ status: 200, body: {} })
  const { ask } = await sdkThread(mock)
  await ask('support', 'Hi')
  expect((await scripts('GET', '')).body).toEqual({ scripts: [{ graph: 'support', taken: 1 }] })

  await scripts('PUT', '/support', { replies: [{ stream: 'Good day.' }], perThread: true, otherwise: 'Again?' })
  expect((await scripts('GET', '')).body).toEqual({ scripts: [{ graph: 'support', taken: 0 }] })
  await ask('support', 'Hi')
  expect(await ask('support', 'Hi')).toEqual(['Hi', 'Hello!', 'Hi', 'Good day.', 'Hi', 'Again?'])
  expect(await (await sdkThread(mock)).ask('support', 'Hi')).toEqual(['Hi', 'Good day.'])
})

test('a script can have any name of a graph', async () => {
  const { mock, scripts } = controlled()
  for (const graph of ['a/b', 'constructor', 'grün 50%']) {
    expect((await scripts('PUT', `/${encodeURIComponent(graph)}`, [graph])).status).toBe(200)
    expect(await (await sdkThread(mock)).ask(graph, 'Hi')).toEqual(['Hi', graph])
    expect((await scripts('DELETE', `/${encodeURIComponent(graph)}`)).status).toBe(200)
  }
})

test('DELETE returns the graphs of the server to what they were', async () => {
  const { mock, scripts } = controlled()
  await scripts('PUT', '/echo', ['scripted'])
  await scripts('PUT', '/support', ['Hello!'])
  expect(await (await sdkThread(mock)).ask('echo', 'Hi')).toEqual(['Hi', 'scripted'])

  expect(await scripts('DELETE', '/echo')).toEqual({ status: 200, body: {} })
  const { ask, client } = await sdkThread(mock)
  expect(await ask('echo', 'Hi')).toEqual(['Hi', 'first: Hi', 'second: Hi'])

  await scripts('DELETE', '')
  expect((await scripts('GET', '')).body).toEqual({ scripts: [] })
  await expect(ask('support', 'Hi')).rejects.toThrow('expected an assistant id or the name of a graph')
  expect((await client.assistants.search()).map(({ name }) => name)).not.toContain('support')
})

test('reset starts scripts over, and restore returns to their positions', async () => {
  const { mock, scripts } = controlled()
  await scripts('PUT', '/support', ['one', 'two'])
  await (await sdkThread(mock)).ask('support', '')
  const snapshot = mock.snapshot()
  mock.reset()
  expect((await scripts('GET', '')).body).toEqual({ scripts: [{ graph: 'support', taken: 0 }] })
  expect(await (await sdkThread(mock)).ask('support', '')).toEqual(['', 'one'])
  mock.restore(snapshot)
  expect(await (await sdkThread(mock)).ask('support', '')).toEqual(['', 'two'])
})

test.each([
  ['Hello', 'The script: expected an array of replies, or an object with "replies" or "rules", received "Hello"'],
  [{ replys: [] }, 'Field "replies": expected array, received nothing; The script: unknown key "replys"'],
  [{ replies: ['x'], repeat: 'yes' }, 'Field "repeat": expected boolean, received "yes"'],
  [[7], 'Field "0": expected a text or an object with one of say, stream,'],
  [['x', []], 'Field "1": expected at least one text or step, received an empty array'],
  [['x', ['y', { pause: '1s' }]], 'Field "1.1.pause": expected number, received "1s"'],
  [{ replies: ['x', { say: 'y', nod: 'z' }] }, 'Field "replies.1": unknown key "nod"; expected only say, node, set'],
  [{ replies: [{ callTool: [{ name: '' }] }] }, 'Field "replies.0.callTool.0.name": '],
  [{ rules: [{ when: { text: { pattern: '(' } }, reply: 'x' }] }, 'Field "rules.0.when.text.pattern": expected a'],
  [{ rules: [{ when: { turn: 1 }, reply: ['x', { pause: '1s' }] }] }, 'Field "rules.0.reply.1.pause": expected number'],
  [{ replies: [], otherwise: { fail: 1 } }, 'Field "otherwise.fail": expected a text, or an Error'],
])('PUT rejects the script %j and changes nothing', async (script, message) => {
  const { mock, scripts } = controlled()
  await scripts('PUT', '/support', ['Hello!'])
  const body = JSON.stringify(script)
  expect(await scripts('PUT', '/support', body)).toEqual({
    status: 422,
    body: { detail: expect.stringContaining(message) },
  })
  expect((await scripts('PUT', '/new', body)).status).toBe(422)
  expect((await scripts('GET', '')).body).toEqual({ scripts: [{ graph: 'support', taken: 0 }] })
  expect(await (await sdkThread(mock)).ask('support', 'Hi')).toEqual(['Hi', 'Hello!'])
})

test('DELETE of an unknown script returns 404', async () => {
  const { scripts } = controlled()
  const detail = 'There is no script of the graph "echo"; GET scripts lists the graphs with a script'
  expect(await scripts('DELETE', '/echo')).toEqual({ status: 404, body: { detail } })
})

test('GET returns a script as it was set, unless it is written in code', async () => {
  const { mock, scripts } = controlled()
  const script = { replies: ['Hello!', { stream: 'Bye.' }], repeat: true }
  await scripts('PUT', '/support', script)
  mock.script('coded', () => 'Hello!')
  mock.scripts.set('mixed', [() => 'Hello!'])

  expect(await scripts('GET', '/support')).toEqual({ status: 200, body: script })
  for (const graph of ['coded', 'mixed']) {
    expect(await scripts('GET', `/${graph}`)).toEqual({
      status: 404,
      body: { detail: `The script of the graph "${graph}" is written in code` },
    })
  }
  expect(await scripts('GET', '/nobody')).toMatchObject({
    status: 404,
    body: { detail: expect.stringContaining('There is no script of the graph "nobody"') },
  })
})
