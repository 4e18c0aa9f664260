import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAccount } from '../../fixtures/bucket/bucket.ts'
import { bucketClient, makeBucket } from '../../fixtures/bucket/client.ts'
import { testGraphsAuth } from '../../mock-server/deployment/auth/test-auth.ts'
import { testAuthEndpoint } from '../../targets/test-auth-endpoint.ts'
import { embeddedStore } from '../fixtures/bucket-stores.ts'
import { serveMutant } from '../fixtures/mutants.ts'
import { bash, replaysOf } from '../fixtures/replay-scripts.ts'
import { busy, startMockServer } from '../fixtures/start-mock-server.ts'
import { command, temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

/** The responses that a replay printed, with their requests, in order. */
function responses(stdout: string): { request: string; status: number; body: string }[] {
  return [
    ...stdout.matchAll(
      /^--- \d+\. (.+) \(recorded: .+\)\nHTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n([\s\S]*?)\n(?=\n(?:---|=====)|$)/gm,
    ),
  ].map(([, request = '', status, body = '']) => ({ request, status: Number(status), body }))
}

test('reproduces a defect that needs several requests on a restarted server, and stops without an expected id', async () => {
  const folder = await temporaryFolder()
  const mutant = 'run.get.newest-run'
  const args = ['--id', 'run.get.named-run', '--report', folder]
  await command(['test', '--deployment-url', await serveMutant(mutant), ...args])
  const refusing = await startMockServer({}, (fetch) => (request) => {
    const isRun = request.method === 'POST' && request.url.endsWith('/runs')
    return isRun ? Promise.resolve(Response.json({ detail: 'no workers' }, { status: 503 })) : fetch(request)
  })

  const script = join(folder, 'replay', 'run.get.named-run.sh')
  const { code, stdout, stderr } = await bash(script, { TOUCHSTONE_OPEN_URL: await serveMutant(mutant) })
  const stopped = await bash(script, { TOUCHSTONE_OPEN_URL: refusing })

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const replayed = responses(stdout)
  const created = replayed.filter(({ request }) => request === 'POST /threads/{thread_id}/runs')
  const ids = created.map(({ body }) => (JSON.parse(body) as { run_id: string }).run_id)
  const read = replayed.findLast(({ request }) => request === 'GET /threads/{thread_id}/runs/{run_id}')
  expect(new Set(ids).size).toBe(3)
  expect(JSON.parse(read?.body ?? '')).toMatchObject({ run_id: ids[2] })
  expect(stopped.code).toBe(1)
  expect(stopped.stdout).toMatch(/Cannot continue: expected run_id in the response to request \d+/)
})

test('sends concurrent requests concurrently again', async () => {
  const folder = await temporaryFolder()
  const url = await serveMutant('thread.create.id-reused')
  await command(['test', '--deployment-url', url, '--id', 'thread.create.fresh-id', '--report', folder])

  const { stdout } = await bash(join(folder, 'replay', 'thread.create.fresh-id.sh'))

  const ids = responses(stdout).map(({ body }) => (JSON.parse(body) as { thread_id: string }).thread_id)
  expect(ids).toHaveLength(8)
  expect(new Set(ids).size).toBeLessThan(8)
  expect(stdout).toContain('--- expected\na new id\n')
})

test('reads secrets from environment variables and writes none into the files', async () => {
  const folder = await temporaryFolder()
  const config = join(folder, 'touchstone.config.json')
  const endpoint = testAuthEndpoint(await startMockServer({ auth: testGraphsAuth }, busy))
  await writeFile(config, JSON.stringify({ endpoints: { 'custom-auth': endpoint } }))
  const id = 'thread.fields.status.default'
  await command(['test', '--config', config, '--id', id, '--report', folder])
  const token = endpoint.users?.alice.headers['authorization'] ?? ''

  const script = join(folder, 'replay', `${id}.sh`)
  const without = await bash(script, { TOUCHSTONE_CUSTOM_AUTH_ALICE_AUTHORIZATION: '' })
  const replayed = await bash(script, { TOUCHSTONE_CUSTOM_AUTH_ALICE_AUTHORIZATION: token })

  expect(without.code).not.toBe(0)
  expect(without.stderr).toContain('TOUCHSTONE_CUSTOM_AUTH_ALICE_AUTHORIZATION: set it to the header authorization')
  expect(responses(replayed.stdout)).toMatchObject([{ status: 200, body: expect.stringContaining('"status":"busy"') }])
  const files = await Promise.all(
    (await replaysOf(folder)).map((name) => readFile(join(folder, 'replay', name), 'utf8')),
  )
  expect(files).toHaveLength(2)
  expect(files.filter((text) => text.includes('touchstone-alice'))).toEqual([])
})

test('links a failure to its replay, runs it, checks whether it still fails, and removes it once it is fixed', async () => {
  const folder = await temporaryFolder()
  const id = 'thread.fields.status.default'
  const state = { isBusy: true }
  const url = await startMockServer({}, (fetch) => (request) => (state.isBusy ? busy(fetch) : fetch)(request))
  const runTests = () => command(['test', '--deployment-url', url, '--id', 'thread.*', '--report', folder])
  const check = (name: string) => command(['replay', name, '--check', '--report', folder])

  const { stdout } = await runTests()

  expect(await replaysOf(folder)).toEqual([`${id}.har`, `${id}.sh`])
  expect(stdout).toContain(`replay: bash ${join(folder, 'replay', id)}.sh\n`)
  expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain(
    `- **replay**: [script](replay/${id}.sh), [HAR](replay/${id}.har)`,
  )
  expect(await touchstone(['replay', id, '--report', folder])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('POST /threads (recorded: 200)'),
  })
  expect(await check(id)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^fail thread.fields.status.default: expected .*, received "busy"\n$/),
  })
  expect(await command(['replay', 'thread.fields.status.defualt', '--report', folder])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Did you mean ${id}?`),
  })
  state.isBusy = false
  expect(await check(id)).toMatchObject({ code: 0, stdout: `pass ${id}\n` })
  await runTests()
  expect(await replaysOf(folder)).toEqual([])
})

test('creates export destinations in the bucket of the settings, and skips them without settings', async () => {
  const folder = await temporaryFolder()
  const url = await serveMutant('export.create.scheduled.end-time-accepted')
  const key = 'touchstone-enterprise'
  const caller = ['--header', 'x-api-key: env:KEY', '--header', 'x-tenant-id: 00000000-0000-4000-8000-00000000000a']
  const target = ['--export-url', url, '--session', '5e000000-0000-4000-8000-000000000001', '--bucket', 'embedded']
  const selection = ['--id', 'export.create.scheduled.end-time-refused', '--report', folder]
  await command(['test', ...target, ...caller, ...selection], { env: { KEY: key } })
  const store = await embeddedStore()
  const { full } = store.accounts
  if (!isAccount(full)) throw new Error('expected an account in the embedded store')
  const root = bucketClient(store, 'root')
  await makeBucket(root, 'replayed')
  root.destroy()

  const script = join(folder, 'replay', 'export.create.scheduled.end-time-refused.sh')
  const without = await bash(script, { TOUCHSTONE_EXPORT_X_API_KEY: key })
  const replayed = await bash(script, {
    TOUCHSTONE_EXPORT_X_API_KEY: key,
    TOUCHSTONE_S3_BUCKET: 'replayed',
    TOUCHSTONE_S3_ENDPOINT: store.endpoint,
    TOUCHSTONE_S3_FULL_ACCESS_KEY_ID: full.accessKeyId,
    TOUCHSTONE_S3_FULL_SECRET_ACCESS_KEY: full.secretAccessKey,
  })

  expect([without.code, without.stderr, replayed.code, replayed.stderr]).toEqual([0, '', 0, ''])
  expect(without.stdout).toContain('No destination is created: set TOUCHSTONE_S3_BUCKET to create destinations.')
  const posted = (stdout: string) => responses(stdout).filter(({ request }) => request.startsWith('POST'))
  expect(posted(without.stdout)).toMatchObject([{ status: 200 }, { status: 200 }])
  const requests = posted(replayed.stdout)
  const schedule = requests.find(({ request }) => request === 'POST /api/v1/bulk-exports')
  const [destination] = requests
  expect(destination).toMatchObject({ request: 'POST /api/v1/bulk-exports/destinations', status: 200 })
  const { id } = JSON.parse(destination?.body ?? '') as { id: string }
  expect(JSON.parse(schedule?.body ?? '')).toMatchObject({ bulk_export_destination_id: id })
  expect(await readFile(script, 'utf8')).not.toContain(full.secretAccessKey)
})
