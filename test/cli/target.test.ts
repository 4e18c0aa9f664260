import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testGraphsAuth } from '../../mock-server/deployment/auth/test-auth.ts'
import { htmlPage, plainServer, tlsServer } from '../fixtures/http-server.ts'
import { busy, startMockServer } from '../fixtures/start-mock-server.ts'
import { command, temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

/** Tests a target that a configuration describes. */
async function testConfig(config: object, options: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'touchstone.config.json'), JSON.stringify(config))
  return command(['test', ...options], { cwd, env })
}

/** Tests a deployment without reports of earlier runs. */
const testUrl = async (url: string, ...options: readonly string[]) =>
  command(['test', '--deployment-url', url, ...options], { cwd: await temporaryFolder() })

const unreachable = 'http://127.0.0.1:9'

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

test('says that a rate limit made the run longer, and that a proxy refused requests', async () => {
  const page = () =>
    new Response('<html><h1>503</h1></html>', {
      status: 503,
      headers: { 'content-type': 'text/html', server: 'nginx' },
    })
  let threads = 0
  const url = await startMockServer({}, (fetch) => async (request) => {
    if (request.method !== 'POST' || !request.url.endsWith('/threads')) return fetch(request)
    threads += 1
    if (threads % 5 === 0) return page()
    return threads % 3 === 0 ? new Response('', { status: 429 }) : fetch(request)
  })
  const { stderr } = await testUrl(url, '--id', 'thread.*')
  expect(stderr).toMatch(/^requests refused with 429, and sent again: [1-9]\d*; a rate limit makes the run longer$/m)
  expect(stderr).toMatch(/^responses in HTML with the status 503 from nginx: [1-9]\d*; probably of a proxy or /m)
})

test('names the configuration key of a missing secret', async () => {
  const user = (name: string) => ({ headers: { authorization: `env:${name}` } })
  const endpoint = { url: unreachable, users: { alice: user('SET'), bob: user('NOT_SET') } }

  expect(await testConfig({ endpoints: { 'custom-auth': endpoint } }, [], { SET: 'x' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'endpoints.custom-auth.users.bob.headers: authorization refers to the environment variable NOT_SET, which is not set',
    ),
  })
})

test('names the deployed name of a missing test graph', async () => {
  const config = { endpoints: { open: { url: await startMockServer() } }, graphs: { echo: 'nope' } }

  expect(await testConfig(config, ['--id', 'run.create.*'])).toMatchObject({
    code: 3,
    stdout: expect.stringContaining(
      'expected the test graph "echo" under the name "nope", received an error when running it',
    ),
  })
})

test('names the URL of a target that does not respond', async () => {
  expect(await testConfig({ endpoints: { open: { url: unreachable } }, budgets: { readyMs: 50 } })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected the endpoint "open" (http://127.0.0.1:9) to be ready within 50 ms'),
  })
})

test('explains that a server requires credentials', async () => {
  const url = await startMockServer({ auth: testGraphsAuth })

  const { code, stderr } = await testUrl(url)

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
    'the challenge of a proxy',
    () => new Response('', { status: 401, headers: { 'www-authenticate': 'Basic realm="staging"' } }),
    'received 401 with WWW-Authenticate: Basic realm="staging" for every request. Add credentials with --header',
  ],
  [
    '500 with JSON',
    () => Response.json({ detail: 'broken' }, { status: 500 }),
    'received 500 {"detail":"broken"}, and 500 for POST /assistants/search. Look at the log',
  ],
])('rejects a server that answers every request with %s', async (_, respond, message) => {
  const url = await startMockServer({}, () => async () => respond())

  const { code, stderr } = await testUrl(url)

  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})

test('suspects the authentication handler if requests of a user get status 500', async () => {
  const url = await startMockServer({}, () => async () => Response.json({ detail: 'broken' }, { status: 500 }))
  const user = { headers: { authorization: 'Bearer a' } }

  const { code, stderr } = await testConfig({
    endpoints: { 'custom-auth': { url, users: { alice: user, bob: user } } },
  })

  expect(code).toBe(2)
  expect(stderr).toContain('expected a 2xx response to POST /threads as alice, received 500')
  expect(stderr).toContain('Look at your authentication handler.')
})

test('does not wait for an unknown host', async () => {
  expect(await testUrl('http://host.invalid')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('(http://host.invalid) has an unknown host. Correct the URL.'),
  })
})

test('waits for a server for the seconds of --wait', async () => {
  const { stderr } = await testUrl(unreachable, '--wait', '0.05')

  expect(stderr).toContain('to be ready within 50 ms')
})

test('uses the test graph that --graph names', async () => {
  const { stdout } = await testUrl(await startMockServer(), '--graph', 'echo', '--id', 'message.answer.*')

  expect(stdout).toMatch(/^Conformant for the selection/m)
  expect(stdout).not.toContain('Inconclusive')
})

test('explains that a URL is not a base URL', async () => {
  const { code, stderr } = await testUrl(`${await startMockServer()}/wrong`)

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

test.each([
  [
    'deployment',
    ['--deployment-url'],
    /expected JSON from POST \/threads and .*, received 200 without JSON \(text\/html, "Shop"\)\. Check that the URL is that of a LangGraph Server/,
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
  const { code, stderr } = await testUrl(await startMockServer(), '--graph', 'nope')

  expect(code).toBe(2)
  expect(stderr).toMatch(/expected the graph "nope" to be deployed/)
})

test('rejects an accepted gap that matches no requirement', async () => {
  const accept = { 'autx.*': 'no users here' }

  const { code, stderr } = await testConfig({ endpoints: { open: { url: await startMockServer() } }, accept })

  expect(code).toBe(2)
  expect(stderr).toMatch(/received autx\.\*: no requirement matches.*Did you mean auth\.\*\?/)
})

test('rejects an endpoint with custom authentication without users', async () => {
  const { code, stderr } = await testConfig({ endpoints: { 'custom-auth': { url: unreachable } } })

  expect(code).toBe(2)
  expect(stderr).toContain('expected users.alice and users.bob in endpoints.custom-auth')
})

test('rejects a report folder that is a file before testing', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'file')
  await writeFile(file, '')

  const { code, stderr } = await testUrl(unreachable, '--report', file)

  expect(code).toBe(2)
  expect(stderr).toContain('expected a writable folder, received a file')
})

test('prints the command that tests what failed again, without secrets', async () => {
  const folder = await temporaryFolder()
  const target = ['--deployment-url', await startMockServer({}, busy), '--header', 'X-Team: env:TEAM']
  const args = ['test', ...target, '--header', 'X-Api-Key: literal', '--id', 'thread.*', '--report', folder]

  const { stdout } = await command(args, { env: { TEAM: 'agents' } })

  expect(stdout).toContain(
    `re-run: npx touchstone test ${target.slice(0, 3).join(' ')} 'X-Team: env:TEAM' --header 'X-Api-Key: env:TOUCHSTONE_X_API_KEY' --failed ${folder}/report.json`,
  )
})
