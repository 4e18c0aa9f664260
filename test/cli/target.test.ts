import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kitAuth } from '../../mock-server/graphs/kit/auth.ts'
import { listening } from '../fixtures/listening.ts'
import { temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

test('a target that does not answer yet is waited for, and told so at once', async () => {
  const folder = await temporaryFolder()
  let down = true
  const url = await listening(
    {},
    (fetch) => async (request) => (down ? new Response('', { status: 503 }) : fetch(request)),
  )

  const args = ['test', '--deployment-url', url, '--id', 'thread.create.fresh-id', '--report', folder]
  const { code, stderr } = await touchstone(args, {
    onStderr: (text) => {
      if (text.includes(`waiting for ${url} to answer, for up to 30 s\n`)) down = false
    },
  })

  expect(code).toBe(0)
  expect(stderr.match(/waiting for/g)).toHaveLength(1)
})

test('a target that takes a request and keeps silent is told too', async () => {
  const folder = await temporaryFolder()
  const silent = Promise.withResolvers<void>()
  const url = await listening({}, (fetch) => async (request) => {
    await silent.promise
    return fetch(request)
  })

  const { code, stderr } = await touchstone(
    ['test', '--deployment-url', url, '--id', 'thread.create.fresh-id', '--report', folder],
    {
      onStderr: (text) => text.includes('waiting for') && silent.resolve(),
    },
  )

  expect({ code, told: stderr.match(/waiting for/g) }).toEqual({ code: 0, told: ['waiting for'] })
})

test('a secret that is not set is named with its key in the configuration', async () => {
  const folder = await temporaryFolder()
  const config = join(folder, 'touchstone.config.json')
  const user = (name: string) => ({ headers: { authorization: `env:${name}` } })
  const endpoint = { url: 'http://127.0.0.1:9', users: { alice: user('SET'), bob: user('NOT_SET') } }
  await writeFile(config, JSON.stringify({ endpoints: { 'custom-auth': endpoint } }))

  const { code, stderr } = await touchstone(['test', '--config', config], { cwd: folder, env: { SET: 'x' } })

  expect(code).toBe(2)
  expect(stderr).toContain(
    'endpoints.custom-auth.users.bob.headers: authorization refers to the environment variable NOT_SET, which is not set',
  )
})

test('a kit graph that is deployed under another name is named as it was given', async () => {
  const folder = await temporaryFolder()
  const config = join(folder, 'touchstone.config.json')
  await writeFile(config, JSON.stringify({ endpoints: { open: { url: await listening() } }, graphs: { echo: 'nope' } }))

  const { code, stdout } = await touchstone(['test', '--config', config, '--id', 'run.create.*', '--report', folder])

  expect(code).toBe(3)
  expect(stdout).toContain('runs no graph "nope", which stands for the kit graph "echo"')
})

test('a target that does not answer is named with its URL', async () => {
  const folder = await temporaryFolder()
  const config = join(folder, 'touchstone.config.json')
  await writeFile(
    config,
    JSON.stringify({ endpoints: { open: { url: 'http://127.0.0.1:9' } }, budgets: { readyMs: 50 } }),
  )

  const { code, stderr } = await touchstone(['test', '--config', config])

  expect(code).toBe(2)
  expect(stderr).toMatch(/"open" \(http:\/\/127\.0\.0\.1:9\) was not ready within 50 ms/)
})

test('a server that wants credentials is told from one that fails', async () => {
  const url = await listening({ auth: kitAuth })

  const { code, stderr } = await touchstone(['test', '--deployment-url', url], { cwd: await temporaryFolder() })

  expect(code).toBe(2)
  expect(stderr).toMatch(/refuses every request with 401: give its credentials with --header, or declare .*custom-auth/)
})

test('a URL that is no base URL is told from a server that fails', async () => {
  const url = await listening()

  const { code, stderr } = await touchstone(['test', '--deployment-url', `${url}/wrong`], {
    cwd: await temporaryFolder(),
  })

  expect(code).toBe(2)
  expect(stderr).toMatch(/wrong\) answers 404 to POST \/assistants\/search: is it the base URL\?/)
})

test('a graph that is not deployed is no failure of the server', async () => {
  const url = await listening()

  const args = ['test', '--deployment-url', url, '--graph', 'nope']
  const { code, stderr } = await touchstone(args, { cwd: await temporaryFolder() })

  expect(code).toBe(2)
  expect(stderr).toMatch(/does not run the graph "nope"/)
})

test('an accepted gap that names no requirement is a slip', async () => {
  const folder = await temporaryFolder()
  const config = join(folder, 'touchstone.config.json')
  const accept = { 'autx.*': 'no users here' }
  await writeFile(config, JSON.stringify({ endpoints: { open: { url: await listening() } }, accept }))

  const { code, stderr } = await touchstone(['test', '--config', config, '--report', folder])

  expect(code).toBe(2)
  expect(stderr).toMatch(/no requirement matches autx\.\*.*Did you mean auth\.\*\?/)
})

test('an endpoint with custom authentication needs its users', async () => {
  const folder = await temporaryFolder()
  const config = join(folder, 'touchstone.config.json')
  await writeFile(config, JSON.stringify({ endpoints: { 'custom-auth': { url: 'http://127.0.0.1:9' } } }))

  const { code, stderr } = await touchstone(['test', '--config', config, '--report', folder])

  expect(code).toBe(2)
  expect(stderr).toContain('endpoints.custom-auth needs users.alice and users.bob')
})

test('a report folder that is a file is told before anything is judged', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'file')
  await writeFile(file, '')

  const { code, stderr } = await touchstone(['test', '--deployment-url', 'http://127.0.0.1:9', '--report', file])

  expect(code).toBe(2)
  expect(stderr).toContain('is a file; expected a folder')
})
