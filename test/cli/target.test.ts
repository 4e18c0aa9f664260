import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testGraphsAuth } from '../../mock-server/deployment/auth/test-auth.ts'
import { changeResponse } from '../../targets/wrappers/routes.ts'
import { htmlPage, plainServer, tlsServer } from '../fixtures/http-server.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'
import { command, temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

test('waits for a target that is not ready, and prints a message', async () => {
  const folder = await temporaryFolder()
  let down = true
  const url = await startMockServer(
    {},
    (fetch) => async (request) => (down ? new Response('', { status: 503 }) : fetch(request)),
  )

  const args = ['test', '--deployment-url', url, '--id', 'thread.create.fresh-id', '--report', folder]
  const { code, stderr } = await touchstone(args, {
    onStderr: (text) => {
      if (text.includes(`waiting for ${url} to respond, for up to 30 s\n`)) down = false
    },
  })

  expect(code).toBe(0)
  expect(stderr.match(/waiting for/g)).toHaveLength(1)
})

test('prints a message if a target accepts a request and does not respond', async () => {
  const folder = await temporaryFolder()
  const silent = Promise.withResolvers<void>()
  const url = await startMockServer({}, (fetch) => async (request) => {
    await silent.promise
    return fetch(request)
  })

  const { code, stderr } = await touchstone(
    ['test', '--deployment-url', url, '--id', 'thread.create.fresh-id', '--report', folder],
    {
      onStderr: (text) => text.includes('waiting for') && silent.resolve(),
    },
  )

  expect({ code, messages: stderr.match(/waiting for/g) }).toEqual({ code: 0, messages: ['waiting for'] })
})

test('names the configuration key of a missing secret', async () => {
  const folder = await temporaryFolder()
  const config = join(folder, 'touchstone.config.json')
  const user = (name: string) => ({ headers: { authorization: `env:${name}` } })
  const endpoint = { url: 'http://127.0.0.1:9', users: { alice: user('SET'), bob: user('NOT_SET') } }
  await writeFile(config, JSON.stringify({ endpoints: { 'custom-auth': endpoint } }))

  const { code, stderr } = await command(['test', '--config', config], { cwd: folder, env: { SET: 'x' } })

  expect(code).toBe(2)
  expect(stderr).toContain(
    'endpoints.custom-auth.users.bob.headers: authorization refers to the environment variable NOT_SET, which is not set',
  )
})

test('names the deployed name of a missing test graph', async () => {
  const folder = await temporaryFolder()
  const config = join(folder, 'touchstone.config.json')
  await writeFile(
    config,
    JSON.stringify({ endpoints: { open: { url: await startMockServer() } }, graphs: { echo: 'nope' } }),
  )

  const { code, stdout } = await command(['test', '--config', config, '--id', 'run.create.*', '--report', folder])

  expect(code).toBe(3)
  expect(stdout).toContain('expected the test graph "echo" under the name "nope", received an error when running it')
})

test('names the URL of a target that does not respond', async () => {
  const folder = await temporaryFolder()
  const config = join(folder, 'touchstone.config.json')
  await writeFile(
    config,
    JSON.stringify({ endpoints: { open: { url: 'http://127.0.0.1:9' } }, budgets: { readyMs: 50 } }),
  )

  const { code, stderr } = await command(['test', '--config', config])

  expect(code).toBe(2)
  expect(stderr).toMatch(/expected the endpoint "open" \(http:\/\/127\.0\.0\.1:9\) to be ready within 50 ms/)
})

test('explains that a server requires credentials', async () => {
  const url = await startMockServer({ auth: testGraphsAuth })

  const { code, stderr } = await command(['test', '--deployment-url', url], { cwd: await temporaryFolder() })

  expect(code).toBe(2)
  expect(stderr).toMatch(/received 401 for every request\. Add credentials with --header, or declare .*custom-auth/)
})

test.each([
  [
    '501 with HTML',
    () => new Response('<h1>Error</h1>', { status: 501, headers: { 'content-type': 'text/html' } }),
    '501 without JSON (text/html)',
  ],
  [
    'a redirect',
    () => new Response(null, { status: 302, headers: { location: '/login' } }),
    '302 without JSON (a redirect to /login, which is not followed)',
  ],
  ['404 with text', () => new Response('not found', { status: 404 }), 'received 404'],
  [
    '500 with JSON',
    () => Response.json({ detail: 'broken' }, { status: 500 }),
    'received 500 {"detail":"broken"}, and 500 for POST /assistants/search. Look at the log',
  ],
])('rejects a server that answers every request with %s', async (_, respond, message) => {
  const url = await startMockServer({}, () => async () => respond())

  const { code, stderr } = await command(['test', '--deployment-url', url], { cwd: await temporaryFolder() })

  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})

test('suspects the authentication handler if requests of a user get status 500', async () => {
  const url = await startMockServer({}, () => async () => Response.json({ detail: 'broken' }, { status: 500 }))
  const config = join(await temporaryFolder(), 'touchstone.config.json')
  const user = { headers: { authorization: 'Bearer a' } }
  await writeFile(config, JSON.stringify({ endpoints: { 'custom-auth': { url, users: { alice: user, bob: user } } } }))

  const { code, stderr } = await command(['test', '--config', config])

  expect(code).toBe(2)
  expect(stderr).toContain('expected a 2xx response to POST /threads as alice, received 500')
  expect(stderr).toContain('Look at your authentication handler.')
})

test('does not wait for an unknown host', async () => {
  const { code, stderr } = await command(['test', '--deployment-url', 'http://host.invalid'], {
    cwd: await temporaryFolder(),
  })

  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('(http://host.invalid) has an unknown host. Correct the URL.'),
  })
})

test('waits for a server for the seconds of --wait', async () => {
  const { stderr } = await command(['test', '--deployment-url', 'http://127.0.0.1:9', '--wait', '0.05'], {
    cwd: await temporaryFolder(),
  })

  expect(stderr).toContain('to be ready within 50 ms')
})

test('uses the test graph that --graph names', async () => {
  const folder = await temporaryFolder()
  const url = await startMockServer()

  const { stdout } = await command([
    'test',
    '--deployment-url',
    url,
    '--graph',
    'echo',
    '--id',
    'message.answer.*',
    '--report',
    folder,
  ])

  expect(stdout).toMatch(/^Conformant for the selection/m)
  expect(stdout).not.toContain('Inconclusive')
})

test('explains that a URL is not a base URL', async () => {
  const url = await startMockServer()

  const { code, stderr } = await command(['test', '--deployment-url', `${url}/wrong`], {
    cwd: await temporaryFolder(),
  })

  expect(code).toBe(2)
  expect(stderr).toMatch(
    /wrong\): expected a 2xx response to POST \/assistants\/search, received 404\. Check that the URL is the base URL/,
  )
})

test('names the key, the nearest known key and the line of an error in the configuration', async () => {
  const config = join(await temporaryFolder(), 'touchstone.config.mjs')
  const lines = [
    'export default {',
    "  endpoints: { open: { urll: 'http://127.0.0.1:1' } },",
    "  graps: { echo: 'x' },",
    '  budgets: {',
    '    waitMS: 5,',
    '  },',
    '}',
  ]
  await writeFile(config, lines.join('\n'))

  const { code, stderr } = await command(['test', '--config', config])

  expect(code).toBe(2)
  expect(stderr.split('\n').slice(1, 5)).toEqual([
    '  endpoints.open.url (line 2): expected an http:// or https:// URL',
    '  endpoints.open.urll (line 2): unknown key. Did you mean url?',
    '  budgets.waitMS (line 5): unknown key. Did you mean waitMs?',
    '  graps (line 3): unknown key. Did you mean graphs?',
  ])
})

test('suggests the family whose name is given as an id', async () => {
  const { stderr } = await command(['test', '--list', '--id', 'multitask.enqueue'])

  expect(stderr).toContain('no requirement matches. Did you mean multitask.enqueue.*? List all ids')
})

test('suggests the id with the longest common prefix', async () => {
  const { code, stderr } = await command(['test', '--list', '--id', 'run.create.stat'])

  expect(code).toBe(2)
  expect(stderr).toContain('Did you mean run.create.status-code?')
})

test.each([
  [
    'deployment',
    ['--deployment-url'],
    /expected JSON from POST \/threads and .*, received 200 without JSON \(text\/html.*\)\. Check that the URL is that of a LangGraph Server/,
  ],
  [
    'bulk export',
    ['--session', '5e000000-0000-4000-8000-000000000001', '--export-url'],
    /expected JSON from GET \/api\/v1\/bulk-exports, received 200 without JSON\. Check that the URL is the base URL/,
  ],
])('rejects a web site as %s API', async (_, options, message) => {
  const url = await startMockServer({}, () => async () => htmlPage())

  const { code, stderr } = await command(['test', ...options, url], { cwd: await temporaryFolder() })

  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) })
})

test.each([
  ['https for a server without TLS', plainServer, 'https', /does not support TLS\. .* use http:/],
  ['http for a server with TLS', tlsServer, 'http', /does not support plain HTTP\. .* use https:/],
  ['an untrusted certificate', tlsServer, 'https', /SELF_SIGNED_CERT\)\. Set NODE_EXTRA_CA_CERTS to the file/],
] as const)('rejects %s at once in test and init', async (_, start, protocol, message) => {
  const url = `${protocol}://127.0.0.1:${await start()}`
  const cwd = await temporaryFolder()

  const tested = await command(['test', '--deployment-url', url], { cwd })
  const probed = await command(['init', url, '--output', 'probed.config.ts'], { cwd })

  expect(tested).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
  expect(tested.stderr).not.toMatch(/waiting|OpenSSL|routines/)
  expect(probed).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
  expect(await readdir(cwd)).not.toContain('probed.config.ts')
})

test('rejects a graph that is not deployed', async () => {
  const url = await startMockServer()

  const args = ['test', '--deployment-url', url, '--graph', 'nope']
  const { code, stderr } = await command(args, { cwd: await temporaryFolder() })

  expect(code).toBe(2)
  expect(stderr).toMatch(/expected the graph "nope" to be deployed/)
})

test('rejects an accepted gap that matches no requirement', async () => {
  const folder = await temporaryFolder()
  const config = join(folder, 'touchstone.config.json')
  const accept = { 'autx.*': 'no users here' }
  await writeFile(config, JSON.stringify({ endpoints: { open: { url: await startMockServer() } }, accept }))

  const { code, stderr } = await command(['test', '--config', config, '--report', folder])

  expect(code).toBe(2)
  expect(stderr).toMatch(/received autx\.\*: no requirement matches.*Did you mean auth\.\*\?/)
})

test('rejects an endpoint with custom authentication without users', async () => {
  const folder = await temporaryFolder()
  const config = join(folder, 'touchstone.config.json')
  await writeFile(config, JSON.stringify({ endpoints: { 'custom-auth': { url: 'http://127.0.0.1:9' } } }))

  const { code, stderr } = await command(['test', '--config', config, '--report', folder])

  expect(code).toBe(2)
  expect(stderr).toContain('expected users.alice and users.bob in endpoints.custom-auth')
})

test('rejects a report folder that is a file before testing', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'file')
  await writeFile(file, '')

  const { code, stderr } = await command(['test', '--deployment-url', 'http://127.0.0.1:9', '--report', file])

  expect(code).toBe(2)
  expect(stderr).toContain('expected a writable folder, received a file')
})

const createThread = { method: 'POST', path: '/threads' }
const shownBusy = (thread: unknown) => ({ ...Object(thread), status: 'busy' })

test('prints the command that tests what failed again, without secrets', async () => {
  const folder = await temporaryFolder()
  const target = [
    '--deployment-url',
    await startMockServer({}, changeResponse(createThread, shownBusy)),
    '--header',
    'X-Team: env:TEAM',
  ]
  const args = ['test', ...target, '--header', 'X-Api-Key: literal', '--id', 'thread.*', '--report', folder]

  const { stdout } = await command(args, { env: { TEAM: 'agents' } })

  expect(stdout).toContain(
    `re-run: npx touchstone test ${target.slice(0, 3).join(' ')} 'X-Team: env:TEAM' --header 'X-Api-Key: env:TOUCHSTONE_X_API_KEY' --failed ${folder}/report.json`,
  )
})
