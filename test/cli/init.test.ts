import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testGraphsAuth } from '../../mock-server/deployment/auth/test-auth.ts'
import { defineGraph } from '../../mock-server/index.ts'
import { readReport } from '../../reporters/model/read.ts'
import type { Report } from '../../reporters/model/report.ts'
import type { Wrap } from '../../targets/wrappers/fetch.ts'
import { exportTarget } from '../fixtures/export-target.ts'
import { htmlPage } from '../fixtures/http-server.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'
import { command, temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

/** Runs a test with a configuration in a folder without the package. */
async function testWith(config: string, id: string, env: NodeJS.ProcessEnv = {}): Promise<Report> {
  const folder = await temporaryFolder()
  await touchstone(['test', '--config', config, '--id', id, '--report', folder], { env, cwd: folder })
  return readReport(await readFile(join(folder, 'report.json'), 'utf8'), 'report.json')
}

test('writes a configuration with the test graphs', async () => {
  const url = await startMockServer()
  const output = join(await temporaryFolder(), 'touchstone.config.ts')

  const { code, stdout } = await command(['init', url, '--output', output])

  expect(code).toBe(0)
  expect(stdout).toContain('All test graphs are deployed.')
  expect(stdout).toContain('For its types in an editor: npm install --save-dev touchstone\n')
  expect(await readFile(output, 'utf8')).toContain("import { defineTarget } from 'touchstone'")
})

test('finds test graphs on a server with short pages', async () => {
  const url = await startMockServer({}, (fetch) => async (request) => {
    if (!request.url.endsWith('/assistants/search')) return fetch(request)
    const page = (await (await fetch(request)).json()) as unknown[]
    return Response.json(page.slice(0, 2))
  })
  const output = join(await temporaryFolder(), 'touchstone.config.ts')

  const { stdout } = await command(['init', url, '--output', output])

  expect(stdout).toContain('All test graphs are deployed.')
})

test('prints a command that uses the written file', async () => {
  const url = await startMockServer()
  const folder = await temporaryFolder()

  const { stdout } = await touchstone(['init', url, '--output', 'staging.config.ts'], { cwd: folder })

  expect(stdout).toContain('next: npx touchstone test --config staging.config.ts\n')
})

test('names missing test graphs and another graph to use', async () => {
  const agent = defineGraph({ nodes: { only: () => ({ messages: [{ role: 'ai', content: 'hi' }] }) } })
  const url = await startMockServer({ graphs: { agent } })
  const output = join(await temporaryFolder(), 'touchstone.config.ts')

  const { stdout } = await command(['init', url, '--output', output])

  expect(stdout).toContain('Test graphs that are not deployed: echo, slow, tools, fail, whoami, chat')
  expect(await readFile(output, 'utf8')).toContain("graph: 'agent'")
})

test('writes references to users if the server requires credentials', async () => {
  const url = await startMockServer({ auth: testGraphsAuth })
  const output = join(await temporaryFolder(), 'touchstone.config.ts')

  await command(['init', url, '--output', output])

  expect(await readFile(output, 'utf8')).toContain("alice: { headers: { authorization: 'env:ALICE_AUTHORIZATION' }")
})

test('uses a bearer header that the server requires as that of a user', async () => {
  const url = await startMockServer({ auth: testGraphsAuth })
  const output = join(await temporaryFolder(), 'touchstone.config.ts')
  const env = { TOKEN: 'Bearer touchstone-alice', BOB_AUTHORIZATION: 'Bearer touchstone-bob' }

  const { stdout } = await command(['init', url, '--header', 'Authorization: env:TOKEN', '--output', output], {
    env,
  })

  expect(stdout).toContain('The header became that of the user alice: fill in the header of another user, bob')
  const report = await testWith(output, 'auth.*', env)
  expect(report.target.endpoints.map(({ name }) => name)).toEqual(['custom-auth'])
  expect(report.requirements.find(({ id }) => id === 'auth.scope.own-runs')?.verdict).toBe('pass')
})

test('finds test graphs whose default assistants the user cannot see', async () => {
  const hidden: Wrap = (fetch) => async (request) =>
    request.url.endsWith('/assistants/search') ? Response.json([]) : fetch(request)
  const url = await startMockServer({ auth: testGraphsAuth }, hidden)
  const output = join(await temporaryFolder(), 'touchstone.config.ts')

  const { stdout } = await command(['init', url, '--header', 'Authorization: env:TOKEN', '--output', output], {
    env: { TOKEN: 'Bearer touchstone-alice' },
  })

  expect(stdout).toContain('All test graphs are deployed.')
})

test('sends an API key with every request, whether the server requires it or not', async () => {
  const guarded = await startMockServer({}, (fetch) => async (request) => {
    return request.headers.has('x-api-key') ? fetch(request) : new Response('no key', { status: 403 })
  })
  const env = { KEY: 'k-5e884898da28' }
  for (const url of [guarded, await startMockServer()]) {
    const output = join(await temporaryFolder(), 'touchstone.config.ts')

    await command(['init', url, '--header', 'X-Api-Key: env:KEY', '--output', output], { env })

    const { endpoints } = (await testWith(output, 'thread.create.*', env)).target
    expect(endpoints).toMatchObject([{ name: 'open', headers: { 'x-api-key': '[redacted]' } }])
  }
})

test.each([
  ['a web site', htmlPage],
  ['another API', () => Response.json({ ok: true })],
  ['a server that fails', () => new Response('down', { status: 500 })],
  ['a server without such a path', () => new Response('none', { status: 404 })],
])('rejects %s and writes nothing', async (_, respond) => {
  const url = await startMockServer({}, () => async () => respond())
  const cwd = await temporaryFolder()

  const { code, stdout, stderr } = await command(['init', url], { cwd })

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(
    /expected a JSON array from POST .*\/assistants\/search, received \d+ .*\. Use the base URL of a LangGraph Server/,
  )
  expect(await readdir(cwd)).toEqual([])
})

test('writes a configuration of a bulk export API that works', async () => {
  const { endpoint } = await exportTarget({
    wrap: (fetch) => async (request) => {
      if (request.url.endsWith('/assistants/search')) return new Response('none', { status: 404 })
      if (!request.headers.has('content-type')) return new Response('no type', { status: 415 })
      const response = await fetch(request)
      // Servers may wrap the list.
      const isList = request.method === 'GET' && request.url.endsWith('/api/v1/bulk-exports')
      return isList ? Response.json({ data: { items: await response.json() } }) : response
    },
  })
  const session = endpoint.export?.session ?? ''
  const cwd = await temporaryFolder()
  const env = { KEY: endpoint.headers?.['x-api-key'] }
  const headers = ['X-API-Key: env:KEY', `X-Tenant-Id: ${endpoint.headers?.['x-tenant-id']}`]
  const options = headers.flatMap((header) => ['--header', header])

  const unnamed = await command(['init', endpoint.url, ...options], { cwd, env })
  const { code, stdout } = await command(['init', endpoint.url, '--session', session, ...options], { cwd, env })

  expect(unnamed).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/has a bulk export API\. Set --session to the UUID/),
  })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^wrote touchstone\.config\.ts\n/) })
  expect(await readFile(join(cwd, 'touchstone.config.ts'), 'utf8')).toContain(`'X-API-Key': 'env:KEY'`)
  const report = await testWith(join(cwd, 'touchstone.config.ts'), 'export.destination.fields.id.present', env)
  expect(report.target.endpoints).toMatchObject([{ name: 'export', profiles: ['hosted'] }])
  expect(report.requirements.map(({ verdict }) => verdict)).toEqual(['pass'])
})

test('explains that a URL has no bulk export API or that it rejects the credentials', async () => {
  const session = ['--session', '5e000000-0000-4000-8000-000000000001']
  const { endpoint } = await exportTarget()
  const cwd = await temporaryFolder()
  const site = await startMockServer({}, () => async () => htmlPage())

  expect(await command(['init', site, ...session], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected a JSON list from GET /api/v1/bulk-exports'),
  })
  expect(await command(['init', endpoint.url, '--session', 'mine'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--session: expected the UUID of a tracing project, received mine'),
  })
  expect(await command(['init', endpoint.url, ...session], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('rejects the credentials: check the headers X-API-Key and X-Tenant-Id'),
  })
  expect(await readFile(join(cwd, 'touchstone.config.ts'), 'utf8')).toContain(`'X-Tenant-Id': 'env:EXPORT_TENANT'`)
})

test('escapes quotes in the configuration', async () => {
  const sent = new Set<string | null>()
  const url = await startMockServer({}, (fetch) => async (request) => {
    sent.add(request.headers.get('x-note'))
    return fetch(request)
  })
  const output = join(await temporaryFolder(), 'touchstone.config.ts')
  const note = `it's "so" \\ too`

  await command(['init', url, '--header', `x-note: ${note}`, '--output', output])
  sent.clear()
  await testWith(output, 'thread.create.fresh-id')

  expect([...sent]).toEqual([note])
})

test('never writes a secret from the command line', async () => {
  const url = await startMockServer()
  const output = join(await temporaryFolder(), 'touchstone.config.ts')

  await command(['init', url, '--header', 'X-Api-Key: k-5e884898da28', '--output', output])

  const written = await readFile(output, 'utf8')
  expect(written).not.toContain('k-5e884898da28')
  expect(written).toContain('env:X_API_KEY')
})

test('overwrites a file only with --force', async () => {
  const url = await startMockServer()
  const output = join(await temporaryFolder(), 'touchstone.config.ts')
  await command(['init', url, '--output', output])

  expect(await command(['init', url, '--output', output])).toMatchObject({ code: 2 })
  expect(await command(['init', url, '--output', output, '--force'])).toMatchObject({ code: 0 })
})
