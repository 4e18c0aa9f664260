import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kitAuth } from '../../mock-server/graphs/kit/auth.ts'
import { defineGraph } from '../../mock-server/index.ts'
import type { Report } from '../../reporters/model.ts'
import { readReport } from '../../reporters/read.ts'
import { loadManifest } from '../../suites/runner/manifest-file.ts'
import { listening } from '../fixtures/listening.ts'
import { temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

/** The report of a run with a configuration, in a folder where the package is not installed. */
async function judged(config: string, id: string, env: NodeJS.ProcessEnv = {}): Promise<Report> {
  const folder = await temporaryFolder()
  await touchstone(['test', '--config', config, '--id', id, '--report', folder], { env, cwd: folder })
  return readReport(await readFile(join(folder, 'report.json'), 'utf8'), 'report.json')
}

test('init writes a configuration that loads and names the kit', async () => {
  const url = await listening()
  const output = join(await temporaryFolder(), 'touchstone.config.ts')

  const { code, stdout } = await touchstone(['init', url, '--output', output])

  expect(code).toBe(0)
  expect(stdout).toContain('The whole graph kit is deployed.')
  expect(stdout).toContain('For its types in an editor: npm install --save-dev touchstone\n')
  expect(await readFile(output, 'utf8')).toContain("import { defineTarget } from 'touchstone'")
})

test('init names what is missing from the kit and a graph to use instead', async () => {
  const agent = defineGraph({ nodes: { only: () => ({ messages: [{ role: 'ai', content: 'hi' }] }) } })
  const url = await listening({ graphs: { agent } })
  const output = join(await temporaryFolder(), 'touchstone.config.ts')

  const { stdout } = await touchstone(['init', url, '--output', output])

  expect(stdout).toContain('Not deployed from the graph kit: echo, slow, tools, fail, whoami, chat')
  expect(await readFile(output, 'utf8')).toContain("graph: 'agent'")
})

test('init leaves places for users where the server wants credentials', async () => {
  const url = await listening({ auth: kitAuth })
  const output = join(await temporaryFolder(), 'touchstone.config.ts')

  await touchstone(['init', url, '--output', output])

  expect(await readFile(output, 'utf8')).toContain("alice: { headers: { authorization: 'env:ALICE_AUTHORIZATION' }")
})

test('init takes a bearer header that a guarded server wants as that of a user', async () => {
  const url = await listening({ auth: kitAuth })
  const output = join(await temporaryFolder(), 'touchstone.config.ts')
  const env = { TOKEN: 'Bearer touchstone-alice', BOB_AUTHORIZATION: 'Bearer touchstone-bob' }

  const { stdout } = await touchstone(['init', url, '--header', 'Authorization: env:TOKEN', '--output', output], {
    env,
  })

  expect(stdout).toContain('The header is taken as that of the user alice: fill in bob')
  const report = await judged(output, 'auth.*', env)
  expect(report.target.endpoints.map(({ name }) => name)).toEqual(['custom-auth'])
  expect(report.requirements.find(({ id }) => id === 'auth.scope.own-runs')?.verdict).toBe('pass')
})

test('init takes an API key as what everybody sends, whether the server wants it or not', async () => {
  const guarded = await listening({}, (fetch) => async (request) => {
    return request.headers.has('x-api-key') ? fetch(request) : new Response('no key', { status: 403 })
  })
  const env = { KEY: 'k-5e884898da28' }
  for (const url of [guarded, await listening()]) {
    const output = join(await temporaryFolder(), 'touchstone.config.ts')

    await touchstone(['init', url, '--header', 'X-Api-Key: env:KEY', '--output', output], { env })

    const { endpoints } = (await judged(output, 'thread.create.*', env)).target
    expect(endpoints).toMatchObject([{ name: 'open', headers: { 'x-api-key': '[redacted]' } }])
  }
})

test('init writes text with quotes so that it loads as it was', async () => {
  const sent = new Set<string | null>()
  const url = await listening({}, (fetch) => async (request) => {
    sent.add(request.headers.get('x-note'))
    return fetch(request)
  })
  const output = join(await temporaryFolder(), 'touchstone.config.ts')
  const note = `it's "so" \\ too`

  await touchstone(['init', url, '--header', `x-note: ${note}`, '--output', output])
  sent.clear()
  await judged(output, 'thread.create.fresh-id')

  expect([...sent]).toEqual([note])
})

test('init never writes a secret that was given on the command line', async () => {
  const url = await listening()
  const output = join(await temporaryFolder(), 'touchstone.config.ts')

  await touchstone(['init', url, '--header', 'X-Api-Key: k-5e884898da28', '--output', output])

  const written = await readFile(output, 'utf8')
  expect(written).not.toContain('k-5e884898da28')
  expect(written).toContain('env:X_API_KEY')
})

test('init does not overwrite a file unless told so', async () => {
  const url = await listening()
  const output = join(await temporaryFolder(), 'touchstone.config.ts')
  await touchstone(['init', url, '--output', output])

  expect(await touchstone(['init', url, '--output', output])).toMatchObject({ code: 2 })
  expect(await touchstone(['init', url, '--output', output, '--force'])).toMatchObject({ code: 0 })
})

test('a configuration that says something unknown is refused with its key', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'touchstone.config.json')
  const { writeFile } = await import('node:fs/promises')
  await writeFile(file, JSON.stringify({ endpoints: { open: { url: 'ftp://x', usres: {} } } }))

  await expect(loadManifest(file)).rejects.toThrow(/usres[\s\S]*endpoints\.open|endpoints\.open[\s\S]*usres/)
})
