import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readReport } from '../../reporters/model/read.ts'
import { changeResponse } from '../../targets/mutants/responses.ts'
import { listening } from '../fixtures/listening.ts'
import { command, temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

const withoutStatus = changeResponse({ method: 'POST', path: '/threads' }, (body) => ({
  ...(body as object),
  status: 'busy',
}))

async function readJsonReport(folder: string) {
  const file = join(folder, 'report.json')
  return readReport(await readFile(file, 'utf8'), file)
}

test('a server that conforms on what was selected: exit code 0 and all reports', async () => {
  const folder = await temporaryFolder()
  const url = await listening()

  const { code, stdout } = await command(['test', '--deployment-url', url, '--id', 'thread.*', '--report', folder])

  expect(code).toBe(0)
  expect(stdout).toMatch(/^Conformant for the selection/)
  expect((await readJsonReport(folder)).verdict.exitCode).toBe(0)
  expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('id="thread.fields.status.default"')
  expect(await readFile(join(folder, 'junit.xml'), 'utf8')).toContain('thread.fields.status.default')
  expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('Conformant')
  expect((await readFile(join(folder, 'report.ndjson'), 'utf8')).split('\n').length).toBeGreaterThan(20)
})

test('a server with a defect: exit code 1, the requirement, what was expected and came, and a curl line', async () => {
  const folder = await temporaryFolder()
  const url = await listening({}, withoutStatus)

  const { code, stdout } = await command(['test', '--deployment-url', url, '--id', 'thread.*', '--report', folder])

  expect(code).toBe(1)
  expect(stdout).toContain('thread.fields.status.default')
  expect(stdout).toContain('"idle"')
  expect(stdout).toContain('"busy"')
  expect(stdout).toMatch(/curl .*\/threads/)
  const failed = (await readJsonReport(folder)).requirements.filter(({ verdict }) => verdict === 'fail')
  expect(failed.map(({ id }) => id)).toEqual(['thread.fields.status.default'])
})

test('what failed is judged again with --failed', async () => {
  const folder = await temporaryFolder()
  const broken = await listening({}, withoutStatus)
  await command(['test', '--deployment-url', broken, '--id', 'thread.*', '--report', folder])
  const url = await listening()

  const args = ['test', '--deployment-url', url, '--failed', join(folder, 'report.json'), '--report', folder]
  const { code } = await command(args)

  expect(code).toBe(0)
  expect((await readJsonReport(folder)).requirements.map(({ id }) => id)).toEqual(['thread.fields.status.default'])
})

test('a known failure is expected; once it is mended its baseline entry is stale', async () => {
  const folder = await temporaryFolder()
  const baseline = join(folder, 'baseline.json')
  await writeFile(baseline, JSON.stringify({ 'thread.fields.status.default': { reason: 'mended in 1.2' } }))
  const judge = (url: string) =>
    command(['test', '--deployment-url', url, '--id', 'thread.*', '--baseline', baseline, '--report', folder])

  expect(await judge(await listening({}, withoutStatus))).toMatchObject({ code: 0 })
  const mended = await judge(await listening())

  expect(mended.code).toBe(1)
  expect(mended.stdout).toContain('the requirement passes now; remove the entry (mended in 1.2)')
})

test('shards merge into the whole', async () => {
  const folder = await temporaryFolder()
  const url = await listening()
  const parts = ['1/2', '2/2'].map((shard) => ({ shard, report: join(folder, shard.replace('/', '-')) }))

  for (const { shard, report } of parts) {
    await command(['test', '--deployment-url', url, '--id', 'thread.*', '--shard', shard, '--report', report])
  }
  const files = parts.map(({ report }) => join(report, 'report.json'))
  const merged = await command(['report', ...files, '--merge', '--format', 'json'])
  await command(['test', '--deployment-url', url, '--id', 'thread.*', '--report', folder])

  const ids = readReport(merged.stdout, 'merged').requirements.map(({ id }) => id)
  expect(ids.toSorted()).toEqual((await readJsonReport(folder)).requirements.map(({ id }) => id).toSorted())
})

test('a header from the environment is sent and reaches no report', async () => {
  const folder = await temporaryFolder()
  const secret = 'k-5e884898da28'
  const url = await listening({}, (fetch) => async (request) => {
    if (request.headers.get('x-api-key') !== secret) return new Response('no key', { status: 403 })
    return withoutStatus(fetch)(request)
  })

  const args = [
    'test',
    '--deployment-url',
    url,
    '--header',
    'X-Api-Key: env:KEY',
    '--id',
    'thread.*',
    '--report',
    folder,
  ]
  const { stdout, stderr } = await command(args, { env: { KEY: secret } })

  const files = await Promise.all(
    ['report.html', 'report.json', 'report.ndjson', 'junit.xml', 'summary.md'].map((name) =>
      readFile(join(folder, name), 'utf8'),
    ),
  )
  expect(stdout).toContain('thread.fields.status.default')
  expect([stdout, stderr, ...files].filter((text) => text.includes(secret))).toEqual([])
})

test('a signal ends the run early and the report of what was done is written', async () => {
  const folder = await temporaryFolder()
  const url = await listening({}, (fetch) => async (request) => {
    if (request.url.endsWith('/join')) await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
    return fetch(request)
  })

  let interrupted = false
  const { code } = await touchstone(['test', '--deployment-url', url, '--report', folder], {
    onStderr: (text, interrupt) => {
      if (!interrupted && text.includes('decided')) interrupt()
      interrupted = text.includes('decided')
    },
  })

  const report = await readJsonReport(folder)
  expect(code).toBe(report.verdict.exitCode)
  expect(code).not.toBe(0)
  expect(report.interrupted).toBe('SIGINT')
  expect(report.requirements.some(({ verdict }) => verdict === 'pass')).toBe(true)
})

test.each([
  ['no target', ['test'], /no target: give --deployment-url/],
  [
    'a URL that is none',
    ['test', '--deployment-url', 'localhost:1'],
    /--deployment-url localhost:1: expected an http:\/\/ or https:\/\//,
  ],
  [
    'a header without a name',
    ['test', '--deployment-url', 'http://127.0.0.1:1', '--header', 's3cret'],
    /expected 'Name: value'/,
  ],
  [
    'a secret that is not set',
    ['test', '--deployment-url', 'http://127.0.0.1:1', '--header', 'a: env:NOT_SET'],
    /NOT_SET/,
  ],
  ['a file that is missing', ['test', '--deployment-url', 'http://127.0.0.1:1', '--baseline', 'no.json'], /no\.json/],
  ['an id that is unknown', ['test', '--deployment-url', 'http://127.0.0.1:1', '--id', 'nope.x'], /nope\.x/],
  [
    'an id with a slip',
    ['test', '--list', '--id', 'thread.craete.fresh-id'],
    /Did you mean thread\.create\.fresh-id\?/,
  ],
  ['a family with a slip', ['test', '--list', '--id', 'run.craete.*'], /Did you mean run\.create\.\*\?/],
  [
    'a configuration that is missing',
    ['test', '--config', 'nope.ts'],
    /^error: the configuration file nope\.ts does not exist\. .*npx touchstone init URL/,
  ],
  ['a shard that is none', ['test', '--deployment-url', 'http://127.0.0.1:1', '--shard', '4/3'], /4\/3/],
  ['a count that is none', ['test', '--deployment-url', 'http://127.0.0.1:1', '--repeat', 'x'], /--repeat x/],
  [
    'a level that is none',
    ['test', '--deployment-url', 'http://127.0.0.1:1', '--level', 'MIGHT'],
    /MUST, SHOULD, MAY or UNSPECIFIED/,
  ],
  [
    'an area that is none',
    ['test', '--deployment-url', 'http://127.0.0.1:1', '--area', 'nope'],
    /--area: expected deployment or export, received "nope"/,
  ],
  [
    'a concurrency that is none',
    ['test', '--deployment-url', 'http://127.0.0.1:1', '--concurrency', 'x'],
    /--concurrency x/,
  ],
  [
    'exports of no project',
    ['test', '--export-url', 'http://127.0.0.1:1'],
    /needs the tracing project .* --session UUID/,
  ],
  ['a project without exports', ['test', '--session', 'x', '--deployment-url', 'http://127.0.0.1:1'], /give that, too/],
  [
    'a window that is no two times',
    [
      'test',
      '--export-url',
      'http://127.0.0.1:1',
      '--session',
      '5e000000-0000-4000-8000-000000000001',
      '--window',
      'yesterday',
    ],
    /--window yesterday: expected START\/END, such as/,
  ],
  [
    'a window that has not ended',
    [
      'test',
      '--export-url',
      'http://127.0.0.1:1',
      '--session',
      '5e000000-0000-4000-8000-000000000001',
      '--window',
      '2026-01-01T00:00:00Z/2999-01-01T00:00:00Z',
    ],
    /expected an end in the past/,
  ],
  [
    'a window that ends before it starts',
    [
      'test',
      '--export-url',
      'http://127.0.0.1:1',
      '--session',
      '5e000000-0000-4000-8000-000000000001',
      '--window',
      '2026-01-02T00:00:00Z/2026-01-01T00:00:00Z',
    ],
    /expected a start before the end/,
  ],
  ['an unknown option', ['test', '--deploymnet-url', 'x'], /--deployment-url/],
])('%s is a usage error: one message, exit code 2, no stack trace', async (_, args, message) => {
  const { code, stderr } = await command(args, { cwd: await temporaryFolder() })

  expect(code).toBe(2)
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/^\s+at |s3cret/m)
})

test('--list shows what would be judged and asks no server', async () => {
  const { code, stdout } = await command(['test', '--id', 'thread.create.*', '--list'])

  expect(code).toBe(0)
  expect(stdout).toContain('thread.create.fresh-id')
  expect(stdout).toMatch(/\d+ requirements\n$/)
})

test('--list shows what would be judged on the target that is described, and asks for no secret', async () => {
  const target = ['--export-url', 'http://127.0.0.1:9', '--session', '5e000000-0000-4000-8000-000000000001']
  const { code, stdout } = await command(['test', ...target, '--header', 'X-API-Key: env:NOT_SET', '--list'])

  expect(code).toBe(0)
  expect(stdout).toContain('export.create.')
  expect(stdout).not.toMatch(/ thread\.| export\.versions\.\S+\.too-old/)
})

test('--list of one shard shows the checks of that shard', async () => {
  const lists = ['1/2', '2/2'].map((shard) => command(['test', '--id', 'thread.*', '--shard', shard, '--list']))
  const [first, second] = (await Promise.all(lists)).map(({ stdout }) =>
    [...stdout.matchAll(/^\w+ +\S+$/gm)].map(([row]) => row),
  )

  expect(first?.length).toBeGreaterThan(0)
  expect(second?.filter((row) => first?.includes(row))).toEqual([])
})

test('--list names a configuration that is not there', async () => {
  const { code, stderr } = await command(['test', '--config', 'nope.ts', '--list'])

  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('nope.ts does not exist') })
})

test('a selection that nothing on this target decides is incomplete', async () => {
  const folder = await temporaryFolder()
  const args = ['test', '--deployment-url', await listening(), '--id', 'auth.user.placed', '--report', folder]

  expect(await command(args)).toMatchObject({ code: 3, stdout: expect.stringMatching(/^Incomplete/) })
})

test('a failure shows the exchange that it is about', async () => {
  const folder = await temporaryFolder()
  const url = await listening({}, (fetch) => async (request) => {
    const isRun = request.method === 'POST' && request.url.endsWith('/runs')
    return isRun ? Response.json({ detail: 'no workers' }, { status: 500 }) : fetch(request)
  })

  await command(['test', '--deployment-url', url, '--id', 'run.*', '--report', folder])

  const { requirements } = await readJsonReport(folder)
  const failed = requirements.find(({ id }) => id === 'run.create.answers-run')
  const shown = failed?.outcomes.flatMap(({ verdict, evidence }) => (verdict === 'fail' && evidence ? [evidence] : []))
  expect(shown?.length).toBeGreaterThan(0)
  expect(shown?.map(({ exchanges }) => exchanges.at(-1)?.status)).toEqual(shown?.map(() => 500))
})

test('progress ends at its total, also where checks find fault beside their own rows', async () => {
  const folder = await temporaryFolder()
  const url = await listening({}, (fetch) => async (request) => {
    const isRun = request.method === 'POST' && request.url.endsWith('/runs')
    return isRun ? Response.json({ detail: 'no workers' }, { status: 500 }) : fetch(request)
  })

  const { stderr } = await command(['test', '--deployment-url', url, '--id', 'run.*', '--report', folder])

  const counted = [...stderr.matchAll(/^(\d+) of (\d+) decided/gm)].map(([, decided, total]) => [decided, total])
  expect(counted.length).toBeGreaterThan(1)
  expect(counted.filter(([decided, total]) => Number(decided) > Number(total))).toEqual([])
  expect(counted.at(-1)?.[0]).toBe(counted.at(-1)?.[1])
})

test('the end of a run tells where its reports are', async () => {
  const folder = await temporaryFolder()
  const args = ['test', '--deployment-url', await listening(), '--id', 'thread.create.*', '--report', folder]

  const { stdout } = await command(args)

  const last = stdout.trimEnd().split('\n').at(-1)
  expect(last).toMatch(new RegExp(`^reports written to ${folder}: `))
  for (const name of last?.split(': ').at(-1)?.split(', ') ?? []) await readFile(join(folder, name))
  expect(JSON.parse(await readFile(join(folder, 'badge.json'), 'utf8')).message).toBe('conformant on a part')
})

test('when everything passed there is nothing to repeat', async () => {
  const folder = await temporaryFolder()
  const url = await listening()
  await command(['test', '--deployment-url', url, '--id', 'thread.create.*', '--report', folder])

  const again = await command(['test', '--deployment-url', url, '--failed', join(folder, 'report.json')])

  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to repeat') })
})
