import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readReport } from '../../reporters/model/read.ts'
import { busy, startMockServer } from '../fixtures/start-mock-server.ts'
import { command, temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

async function readJsonReport(folder: string) {
  const file = join(folder, 'report.json')
  return readReport(await readFile(file, 'utf8'), file)
}

/** Tests requirements on a deployment; other requirements than those of threads need further options. */
const testThreads = (url: string, folder: string, options: readonly string[] = ['--id', 'thread.*'], env = {}) =>
  command(['test', '--deployment-url', url, '--report', folder, ...options], { env })

test('exits with 0, writes all reports for a conforming server, and names the HTML report at the end', async () => {
  const folder = await temporaryFolder()
  const url = await startMockServer()

  const { code, stdout } = await testThreads(url, folder)

  expect(code).toBe(0)
  expect(stdout).toMatch(/^Conformant for the selection/m)
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(`report: ${folder}/report.html`)
  expect(JSON.parse(await readFile(join(folder, 'badge.json'), 'utf8')).message).toBe('conformant on a part')
  expect((await readJsonReport(folder)).verdict.exitCode).toBe(0)
  expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('<code>thread.fields.status.default</code>')
  expect(await readFile(join(folder, 'junit.xml'), 'utf8')).toContain('thread.fields.status.default')
  expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('Conformant')
  expect((await readFile(join(folder, 'report.ndjson'), 'utf8')).split('\n').length).toBeGreaterThan(20)
  const again = await command(['test', '--deployment-url', url, '--failed', join(folder, 'report.json')])
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to test') })
})

test('exits with 1 and shows a defect, which --failed tests again', async () => {
  const folder = await temporaryFolder()

  const { code, stdout } = await testThreads(await startMockServer({}, busy), folder)

  expect(code).toBe(1)
  expect(stdout).toContain('thread.fields.status.default')
  expect(stdout).toContain('`idle`')
  expect(stdout).toContain('"busy"')
  expect(stdout).toMatch(/curl .*\/threads/)
  const failed = (await readJsonReport(folder)).requirements.filter(({ verdict }) => verdict === 'fail')
  expect(failed.map(({ id }) => id)).toEqual(['thread.fields.status.default'])

  const again = await testThreads(await startMockServer(), folder, ['--failed', join(folder, 'report.json')])

  expect(again.code).toBe(0)
  expect((await readJsonReport(folder)).requirements.map(({ id }) => id)).toEqual(['thread.fields.status.default'])
})

test('runs the checks in which a requirement failed again with --failed, with the same seed', async () => {
  const folder = await temporaryFolder()
  const url = await startMockServer({}, busy)
  const report = join(folder, 'report.json')
  const random = 'creates, polls, joins and streams in random order'
  await testThreads(url, folder, ['--id', 'thread.*', '--id', 'multitask.governed*'])
  const first = await readJsonReport(folder)
  const failed = first.requirements.find(({ id }) => id === 'thread.fields.status.default')
  for (const outcome of failed?.outcomes ?? []) outcome.check = random
  await writeFile(report, JSON.stringify(first))

  await testThreads(url, folder, ['--failed', report, '--trace', join(folder, 'trace')])

  expect((await readJsonReport(folder)).suite.seed).toBe(first.suite.seed)
  expect(await readFile(join(folder, 'trace'), 'utf8')).toContain(random)
})

test('expects a known failure, and reports a stale baseline entry once it is fixed', async () => {
  const folder = await temporaryFolder()
  const baseline = join(folder, 'baseline.json')
  await writeFile(baseline, JSON.stringify({ 'thread.fields.status.default': { reason: 'fixed in 1.2' } }))
  const runTests = (url: string) => testThreads(url, folder, ['--id', 'thread.*', '--baseline', baseline])

  expect(await runTests(await startMockServer({}, busy))).toMatchObject({ code: 0 })
  const fixed = await runTests(await startMockServer())

  expect(fixed.code).toBe(1)
  expect(fixed.stdout).toContain('the requirement passes now; remove the entry (fixed in 1.2)')
})

test('merges shards to the whole run', async () => {
  const folder = await temporaryFolder()
  const url = await startMockServer()
  const parts = ['1/2', '2/2'].map((shard) => ({ shard, report: join(folder, shard.replace('/', '-')) }))

  for (const { shard, report } of parts) {
    await testThreads(url, report, ['--id', 'thread.*', '--shard', shard])
  }
  const files = parts.map(({ report }) => join(report, 'report.json'))
  const merged = await command(['report', ...files, '--merge', '--format', 'json'])
  await testThreads(url, folder)

  const ids = readReport(merged.stdout, 'merged').requirements.map(({ id }) => id)
  expect(ids.toSorted()).toEqual((await readJsonReport(folder)).requirements.map(({ id }) => id).toSorted())
})

test('sends a header from the environment and writes it into no report', async () => {
  const folder = await temporaryFolder()
  const secret = 'k-5e884898da28'
  const url = await startMockServer({}, (fetch) => async (request) => {
    if (request.headers.get('x-api-key') !== secret) return new Response('no key', { status: 403 })
    return busy(fetch)(request)
  })

  const options = ['--header', 'X-Api-Key: env:KEY', '--id', 'thread.*']
  const { stdout, stderr } = await testThreads(url, folder, options, { KEY: secret })

  const files = await Promise.all(
    ['report.html', 'report.json', 'report.ndjson', 'junit.xml', 'summary.md'].map((name) =>
      readFile(join(folder, name), 'utf8'),
    ),
  )
  expect(stdout).toContain('thread.fields.status.default')
  expect([stdout, stderr, ...files].filter((text) => text.includes(secret))).toEqual([])
})

test('stops before the first check without a report', async () => {
  const folder = await temporaryFolder()
  const url = await startMockServer({}, () => () => new Promise(() => undefined))

  const { code, stdout, stderr } = await touchstone(['test', '--deployment-url', url, '--report', folder], {
    onStderr: (text, interrupt) => text.includes('waiting for') && interrupt(),
  })

  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr.split('\n').slice(1)).toEqual([
    'SIGINT: stopped before the first check',
    'Nothing was tested, and there is no report.',
    '',
  ])
})

test('writes a report after a signal', async () => {
  const folder = await temporaryFolder()
  const url = await startMockServer({}, (fetch) => async (request) => {
    if (request.url.endsWith('/join')) await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
    return fetch(request)
  })

  let interrupted = false
  const { code } = await touchstone(['test', '--deployment-url', url, '--report', folder], {
    onStderr: (text, interrupt) => {
      if (!interrupted && / of \d+ checks/.test(text)) interrupt()
      interrupted = / of \d+ checks/.test(text)
    },
  })

  const report = await readJsonReport(folder)
  expect(code).toBe(report.verdict.exitCode)
  expect(code).not.toBe(0)
  expect(report.interrupted).toBe('SIGINT')
  expect(report.requirements.some(({ verdict }) => verdict === 'pass')).toBe(true)
})

const target = '--deployment-url http://127.0.0.1:1'
const exports = '--export-url http://127.0.0.1:1'
const project = `${exports} --session 5e000000-0000-4000-8000-000000000001`
const count = /expected a whole number of at least 1, received x/

test.each([
  ['a missing target', '', /expected a target, received none. Give --deployment-url/],
  ['a URL without an option', 'http://x', /received a URL\. Give it as --deployment-url URL\./],
  ['a header without quotes', `${target} --header X-Key: s3cret`, /received another word\. Quote a value with spaces/],
  ['an invalid URL', '--deployment-url localhost:1', /expected an http:\/\/ or https:\/\/ URL, received localhost:1/],
  ['a header without a name', `${target} --header s3cret`, /expected 'Name: value'/],
  ['a secret that is not set', `${target} --header a:env:NOT_SET`, /NOT_SET/],
  ['a missing file', `${target} --baseline no.json`, /no\.json/],
  ['an unknown id', `${target} --id nope.x`, /nope\.x/],
  ['a mistyped id', '--list --id thread.craete.fresh-id', /Did you mean thread\.create\.fresh-id\?/],
  ['a mistyped family', '--list --id run.craete.*', /Did you mean run\.create\.\*\?/],
  [
    'a family without its end',
    '--list --id multitask.enqueue',
    /no requirement matches. Did you mean multitask.enqueue\.\*\?/,
  ],
  ['the start of an id', '--list --id run.create.stat', /Did you mean run\.create\.status-code\?/],
  [
    'a missing configuration',
    '--config nope.ts',
    /^error: the configuration file nope\.ts does not exist\. .*npx touchstone init URL/,
  ],
  ['a missing configuration with --list', '--config nope.ts --list', /nope\.ts does not exist/],
  ['an invalid shard', `${target} --shard 4/3`, /4\/3/],
  ['an invalid count', `${target} --repeat x`, count],
  ['an unknown level', `${target} --level MIGHT`, /MUST, SHOULD, MAY or UNSPECIFIED/],
  ['an unknown area', `${target} --area nope`, /--area: expected deployment or export, received "nope"/],
  ['an invalid concurrency', `${target} --concurrency x`, count],
  ['--export-url without --session', exports, /`--export-url` requires `--session UUID`/],
  ['--session without --export-url', `--session x ${target}`, /`--session` requires `--export-url`/],
  [
    'an invalid window',
    `${project} --window yesterday`,
    /--window: expected START\/END such as .*, received yesterday/,
  ],
  [
    'a window that has not ended',
    `${project} --window 2026-01-01T00:00:00Z/2999-01-01T00:00:00Z`,
    /expected an end in the past/,
  ],
  [
    'a window that ends before it starts',
    `${project} --window 2026-01-02T00:00:00Z/2026-01-01T00:00:00Z`,
    /expected a start before the end/,
  ],
  ['an unknown option', '--deploymnet-url x', /--deployment-url/],
  ['a password in a URL', '--deployment-url http://alice:s3cret@127.0.0.1:1', /expected a URL without a password/],
])('rejects %s with one message, exit code 2 and no stack trace', async (_, options, message) => {
  const args = options.split(' ').filter((word) => word !== '')

  const { code, stderr } = await command(['test', ...args], { cwd: await temporaryFolder() })

  expect(code).toBe(2)
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/^\s+at |s3cret/m)
})

test('lists the requirements that would be tested, without a server', async () => {
  const { code, stdout } = await command(['test', '--id', 'thread.create.*', '--list'])

  expect(code).toBe(0)
  expect(stdout).toContain('thread.create.fresh-id')
  expect(stdout).toMatch(/\d+ requirements\n$/)
})

test('lists the requirements for the profiles of a target, without its secrets', async () => {
  const target = ['--export-url', 'http://127.0.0.1:9', '--session', '5e000000-0000-4000-8000-000000000001']
  const { code, stdout } = await command(['test', ...target, '--header', 'X-API-Key: env:NOT_SET', '--list'])

  expect(code).toBe(0)
  expect(stdout).toContain('export.create.')
  expect(stdout).not.toMatch(/ thread\.| export\.versions\.\S+\.too-old/)
})

test('lists the requirements of one shard', async () => {
  const options = [['--shard', '1/2'], ['--shard', '2/2'], []]
  const lists = options.map((shard) => command(['test', '--id', 'thread.*', ...shard, '--list']))
  const [first = [], second = [], all = []] = (await Promise.all(lists)).map(({ stdout }) =>
    [...stdout.matchAll(/^[A-Z]+ +\S+$/gm)].map(([line]) => line),
  )

  // Two scenarios of a requirement may be in different shards.
  expect(new Set([...first, ...second])).toEqual(new Set(all))
  for (const { length } of [first, second]) expect(length).toBeLessThan(all.length)
})

test('is incomplete if no selected requirement can be tested', async () => {
  const folder = await temporaryFolder()
  const args = ['test', '--deployment-url', await startMockServer(), '--id', 'auth.user.placed', '--report', folder]

  expect(await command(args)).toMatchObject({ code: 3, stdout: expect.stringMatching(/^Incomplete/m) })
})

test('shows the deciding exchange of a failure, and ends the progress at its total', async () => {
  const folder = await temporaryFolder()
  const url = await startMockServer({}, (fetch) => async (request) => {
    const isRun = request.method === 'POST' && request.url.endsWith('/runs')
    return isRun ? Response.json({ detail: 'no workers' }, { status: 500 }) : fetch(request)
  })

  const { stderr } = await testThreads(url, folder, ['--id', 'run.*'])

  const { requirements } = await readJsonReport(folder)
  const failed = requirements.find(({ id }) => id === 'run.create.answers-run')
  const shown = failed?.outcomes.flatMap(({ verdict, evidence }) => (verdict === 'fail' && evidence ? [evidence] : []))
  expect(shown?.length).toBeGreaterThan(0)
  expect(shown?.map(({ exchanges }) => exchanges.at(-1)?.status)).toEqual(shown?.map(() => 500))
  const counted = [...stderr.matchAll(/^(\d+) of (\d+) checks/gm)].map(([, ended, total]) => [ended, total])
  expect(counted.length).toBeGreaterThan(1)
  expect(counted.filter(([ended, total]) => Number(ended) > Number(total))).toEqual([])
  expect(counted.at(-1)?.[0]).toBe(counted.at(-1)?.[1])
})
