import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { loadDeploymentConfig } from '../../mock-server/config/index.ts'
import { createAuthEngine } from '../../mock-server/deployment/auth/engine.ts'
import { deployment, HELLO_GRAPH } from '../fixtures/deployment.ts'

const sdkAuth = fileURLToPath(new URL('../fixtures/sdk-auth.ts', import.meta.url))

describe('a valid configuration', () => {
  test('loads graphs from TypeScript and JavaScript modules', async () => {
    const file = await deployment(
      { dependencies: ['.'], graphs: { one: './src/one.ts:graph', two: './two.mjs:graph' } },
      { 'src/one.ts': HELLO_GRAPH, 'two.mjs': HELLO_GRAPH },
    )
    const { graphs, auth } = await loadDeploymentConfig(file, {})
    expect(Object.keys(graphs)).toEqual(['one', 'two'])
    expect([...(graphs['one']?.nodes.keys() ?? [])]).toEqual(['greet'])
    expect(auth).toBeUndefined()
  })

  test('loads auth handlers written with the public SDK', async () => {
    const file = await deployment(
      { graphs: { hello: './hello.ts:graph' }, auth: { path: `${sdkAuth}:auth`, disable_studio_auth: true } },
      { 'hello.ts': HELLO_GRAPH },
    )
    const { auth } = await loadDeploymentConfig(file, {})
    expect(auth?.disable_studio_auth).toBe(true)
    const engine = createAuthEngine(auth)
    const request = new Request('http://mock.test/', { headers: { Authorization: 'Bearer open-sesame' } })
    const user = await engine.authenticate(request)
    expect(user).toMatchObject({ identity: 'alibaba', role: 'woodcutter' })
    const value = { metadata: {} }
    expect(await engine.authorize(user, 'threads', 'create', value)).toEqual({ owner: 'alibaba' })
    expect(value.metadata).toEqual({ owner: 'alibaba' })
    const rejected = engine.authenticate(new Request('http://mock.test/'))
    await expect(rejected).rejects.toMatchObject({ message: 'say the magic word', details: { status: 401 } })
  })

  test('loads auth handlers from a plain object', async () => {
    const file = await deployment(
      { graphs: { hello: './hello.ts:graph' }, auth: { path: './auth.js:handlers' } },
      { 'hello.ts': HELLO_GRAPH, 'auth.js': 'export const handlers = { authenticate: () => "bob" }' },
    )
    const { auth } = await loadDeploymentConfig(file, {})
    expect(await createAuthEngine(auth).authenticate(new Request('http://mock.test/'))).toMatchObject({
      identity: 'bob',
    })
  })

  test('sets variables from its env file without overriding existing ones', async () => {
    const file = await deployment(
      { graphs: { hello: './hello.ts:graph' }, env: './.env' },
      { 'hello.ts': HELLO_GRAPH, '.env': '# comment\nNEW="from the file"\nSET=from the file\n' },
    )
    const env: NodeJS.ProcessEnv = { SET: 'before' }
    await loadDeploymentConfig(file, env)
    expect(env).toEqual({ NEW: 'from the file', SET: 'before' })
  })

  test('sets variables from an env object', async () => {
    const file = await deployment(
      { graphs: { hello: './hello.ts:graph' }, env: { NEW: 'text' } },
      { 'hello.ts': HELLO_GRAPH },
    )
    const env: NodeJS.ProcessEnv = {}
    await loadDeploymentConfig(file, env)
    expect(env['NEW']).toBe('text')
  })

  test('accepts public keys that only matter for building an image', async () => {
    const file = await deployment(
      { graphs: { hello: './hello.ts:graph' }, node_version: '24', dockerfile_lines: [] },
      { 'hello.ts': HELLO_GRAPH },
    )
    await expect(loadDeploymentConfig(file, {})).resolves.toBeDefined()
  })
})

describe('rejects an invalid configuration with a message', () => {
  const graphs = { hello: './hello.ts:graph' }

  test.each<[string, unknown, string]>([
    ['malformed JSON', '{"graphs": ', 'is not valid JSON'],
    ['a duplicate key', '{"graphs":{"a":"./a.ts:g","\\u0061":"./b.ts:g"}}', 'has the key "a" twice'],
    ['another JSON value', [], 'The file: expected object, received an array of 0 items'],
    ['no graphs', {}, 'Field "graphs": expected an object of graph names and "./path:variable", received nothing'],
    ['an empty object of graphs', { graphs: {} }, 'expected at least one graph'],
    [
      'a graph without a variable',
      { graphs: { a: './a.ts' } },
      'Field "graphs.a": expected "./path/to/module.ts:variable", received "./a.ts"',
    ],
    ['a graph that is not a string', { graphs: { a: 1 } }, 'Field "graphs.a"'],
    [
      'an unknown key',
      { graphs, grahps: {} },
      'Unknown "grahps" in the file: expected dependencies, graphs, env and auth',
    ],
    [
      'an unknown key of auth',
      { graphs, auth: { path: './a.ts:a', paht: 1 } },
      'Unknown "paht" in "auth": expected path and disable_studio_auth',
    ],
    ['auth without a path', { graphs, auth: {} }, 'Field "auth.path": expected string, received nothing'],
    ['dependencies that are not an array', { graphs, dependencies: '.' }, 'Field "dependencies": expected an array'],
    ['env that is a number', { graphs, env: 5 }, 'Field "env": expected the path of a file'],
    [
      'an env value that is not a string',
      { graphs, env: { GREETING: 5 } },
      'Field "env.GREETING": expected string, received 5',
    ],
    ['env that is a list', { graphs, env: ['A=1'] }, 'Field "env": expected the path of a file, or an object of names'],
    ['a missing env file', { graphs, env: './none.env' }, 'none.env cannot be read (ENOENT)'],
    [
      'a Python graph',
      { graphs: { a: './agent.py:graph' } },
      'write the graph with defineGraph, or start its own server',
    ],
    ['Python handlers', { graphs, auth: { path: './auth.py:auth' } }, '"auth" is the Python module'],
    [
      'Python handlers, with a remedy',
      { graphs, auth: { path: './auth.py:auth' } },
      'write the handlers in TypeScript or JavaScript with the Auth class of the public SDK',
    ],
    [
      'an unsupported kind of module',
      { graphs: { a: './agent.json:graph' } },
      'expected a module that ends in .ts, .mts, .js, .mjs',
    ],
    ['a missing module', { graphs: { a: './none.ts:graph' } }, 'none.ts, which does not exist'],
    ['a missing variable', { graphs: { a: './values.ts:graph' } }, 'names the variable graph, but'],
    ['a module that exports nothing', { graphs: { a: './nothing.ts:graph' } }, 'exports nothing'],
    [
      'a variable of the wrong type',
      { graphs: { a: './values.ts:text' } },
      'expected a graph created with defineGraph, received a string',
    ],
    ['a list of graphs', { graphs: { a: './values.ts:list' } }, 'received an array'],
    [
      'a compiled LangGraph graph',
      { graphs: { a: './values.ts:compiled' } },
      'is a LangGraph graph, which this server cannot run: write the graph with defineGraph',
    ],
    ['a LangGraph graph that is not compiled', { graphs: { a: './values.ts:builder' } }, 'is a LangGraph graph'],
    ['a module that throws', { graphs: { a: './throws.ts:graph' } }, 'could not be loaded: RangeError: no model today'],
    ['auth of the wrong type', { graphs, auth: { path: './values.ts:text' } }, 'received a string without handlers'],
    ['auth without handlers', { graphs, auth: { path: './values.ts:empty' } }, 'received an object without handlers'],
    ['auth with a handler that is not a function', { graphs, auth: { path: './values.ts:wrong' } }, 'without handlers'],
    [
      'auth that does not authenticate',
      { graphs, auth: { path: './values.ts:half' } },
      'has no authentication handler',
    ],
  ])('%s', async (_, config, message) => {
    const file = await deployment(config, {
      'hello.ts': HELLO_GRAPH,
      'nothing.ts': 'export {}',
      'throws.ts': 'throw new RangeError("no model today")',
      'values.ts': `
        export const text = 'text'
        export const list = []
        export const compiled = { invoke() {}, stream() {}, nodes: {} }
        export const builder = { compile() {}, addNode() {} }
        export const empty = {}
        export const wrong = { authenticate: 'me' }
        export const half = { callbacks: { '*': () => true } }
      `,
    })
    await expect(loadDeploymentConfig(file, {})).rejects.toThrow(message)
    await expect(loadDeploymentConfig(file, {})).rejects.toMatchObject({ name: 'ConfigurationError' })
  })

  test('a missing file', async () => {
    await expect(loadDeploymentConfig('/nowhere/deployment.json', {})).rejects.toThrow(
      '/nowhere/deployment.json does not exist; expected a JSON file with the keys dependencies, graphs, env and auth',
    )
  })
})
