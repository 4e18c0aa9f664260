import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readReport } from '../../reporters/model/read.ts'
import { bucketNames, settingsOf } from '../fixtures/bucket-settings.ts'
import { activeSchedules } from '../fixtures/export-target.ts'
import { type PhasedTarget, phasedTarget } from '../fixtures/phased-target.ts'
import { type CommandResult, command, temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

const cancelled = ['stops-spawning', 'spares-spawned', 'spawned-alone'].map((name) => `export.cancel.${name}`)
const selection = ['export.schedule.*', ...cancelled].flatMap((id) => ['--id', id])

type Settings = Readonly<Record<string, string>>

/** The commands to start, verify and clean up schedules with one state file. */
async function commands(phased: PhasedTarget, settings: (usual: Settings) => Settings = (usual) => usual) {
  const { target, bucket, declared } = phased
  const state = join(target.folder, 'started.json')
  const config = ['--config', await target.config({}, declared)]
  const env = settings(settingsOf(bucket))
  const call = (...args: string[]): Promise<CommandResult> => touchstone(args, { env })
  const phase = ['--state', state, '--bucket', 'env', ...config]
  return {
    state,
    start: () => call('test', '--phase', 'start', ...phase),
    verify: () => call('test', '--phase', 'verify', ...phase, ...selection, '--report', target.reports),
    cleanup: () => call('cleanup', '--state', state, ...config),
    requirements: async () => {
      const file = join(target.reports, 'report.json')
      return readReport(await readFile(file, 'utf8'), file).requirements
    },
  }
}

test('starts schedules, verifies them hours later and leaves nothing', async () => {
  const phased = await phasedTarget()
  const { start, verify, cleanup, state, requirements } = await commands(phased)

  const started = await start()
  await phased.pass(4)
  const verified = await verify()

  expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining(`--phase verify --state ${state}`) })
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Conformant for the selection/m) })
  const unexpected = (await requirements()).filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
  expect(unexpected.map(({ id }) => id)).toEqual([])
  expect(activeSchedules(await phased.target.exports())).toEqual([])
  expect(await bucketNames(phased.bucket)).toEqual([])
  expect(await verify()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/was verified at .* Run --phase start again/),
  })
  expect(await cleanup()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to remove') })
})

test('is inconclusive if it is too early, and keeps the schedules', async () => {
  const phased = await phasedTarget()
  const { start, verify, requirements, state } = await commands(phased)

  const { stdout } = await start()
  const [from = ''] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(stdout) ?? []
  await phased.pass(0.5)
  const early = await verify()
  const earlyResults = await requirements()
  await phased.pass(2.5)
  const later = await verify()

  expect(early.code).toBe(3)
  expect(early.stderr).toContain(`The schedules are still running. Verify them with the same command from ${from}`)
  const inconclusive = earlyResults.filter(({ verdict }) => verdict === 'inconclusive')
  expect(inconclusive.map(({ id }) => id)).toContain('export.schedule.every-window')
  expect(inconclusive.filter(({ outcomes }) => !outcomes.some(({ unlock }) => unlock?.includes(from)))).toEqual([])
  expect(earlyResults.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  expect(later.code).toBe(0)
  expect(await readFile(state, 'utf8')).not.toMatch(/touchstone-enterprise|secret|Bearer/i)
})

test('cleans up without a verdict', async () => {
  const phased = await phasedTarget()
  const { start, verify, cleanup } = await commands(phased)

  await start()
  const schedules = activeSchedules(await phased.target.exports())
  const cleaned = await cleanup()

  expect(schedules).toHaveLength(2)
  expect(cleaned).toMatchObject({ code: 0, stdout: expect.stringContaining('removed: bucket touchstone-') })
  expect(activeSchedules(await phased.target.exports())).toEqual([])
  expect(await bucketNames(phased.bucket)).toEqual([])
  expect(await cleanup()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to remove') })
  expect(await verify()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/was cleaned up at .* Run --phase start again/),
  })
  expect(await start()).toMatchObject({ code: 0, stdout: expect.stringContaining('started at "export"') })
  expect(activeSchedules(await phased.target.exports())).toHaveLength(2)
  expect(await start()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('already lists resources. Verify them'),
  })
})

test.each<[string, (usual: Settings) => Settings, RegExp]>([
  [
    'has no root account',
    (usual) => Object.fromEntries(Object.entries(usual).filter(([name]) => !name.includes('_ROOT_'))),
    /TOUCHSTONE_S3_ROOT_ACCESS_KEY_ID/,
  ],
  [
    'does not respond',
    (usual) => ({ ...usual, TOUCHSTONE_S3_ENDPOINT: 'http://127.0.0.1:9' }),
    /cannot create a bucket: .* Check TOUCHSTONE_S3_/,
  ],
  [
    'does not know the account',
    (usual) => ({ ...usual, TOUCHSTONE_S3_ROOT_ACCESS_KEY_ID: 'nobody' }),
    /cannot create a bucket: .* Check TOUCHSTONE_S3_/,
  ],
])('starts nothing and writes no file if the store %s', async (_, settings, message) => {
  const phased = await phasedTarget()
  const { start, state } = await commands(phased, settings)

  const { code, stderr } = await start()

  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^error: no scheduled exports were created: /),
  })
  expect(stderr).toMatch(message)
  await expect(readFile(state)).rejects.toThrow(/ENOENT/)
})

test('leaves nothing if the service rejects the second schedule', async () => {
  let creations = 0
  const phased = await phasedTarget({
    wrap: (fetch) => async (request) => {
      const isCreation = request.method === 'POST' && request.url.endsWith('/bulk-exports')
      return isCreation && ++creations > 1 ? Response.json({ detail: 'no more' }, { status: 403 }) : fetch(request)
    },
  })
  const { start, verify } = await commands(phased)

  expect(await start()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: no scheduled exports were created: .*403/),
  })
  const all = await phased.target.exports()
  expect(all.filter(({ interval_hours }) => interval_hours !== null)).toHaveLength(1)
  expect(activeSchedules(all)).toEqual([])
  expect(await bucketNames(phased.bucket)).toEqual([])
  expect(await verify()).toMatchObject({ code: 2, stderr: expect.stringContaining('started.json cannot be read') })
})

test.each([
  ['--state without --phase', ['--state', 'x.json'], /`--state` requires `--phase`/],
  ['--phase without --state', ['--phase', 'start'], /`--phase start` requires `--state FILE`/],
  [
    'a store that exists only during the run',
    ['--phase', 'start', '--state', 'x.json'],
    /--bucket env .*received --bucket embedded/,
  ],
  [
    '--repeat with --phase',
    ['--phase', 'verify', '--state', 'x.json', '--bucket', 'env', '--repeat', '2'],
    /cannot be combined with --repeat or --shard/,
  ],
  ['an unknown phase', ['--phase', 'launch', '--state', 'x.json'], /Allowed choices are start, verify/],
  ['a missing state file', ['--phase', 'verify', '--state', 'x.json', '--bucket', 'env'], /x\.json cannot be read/],
])('rejects %s', async (_, args, message) => {
  const target = ['--export-url', 'http://127.0.0.1:1', '--session', '5e000000-0000-4000-8000-000000000001']

  const { code, stderr } = await command(['test', ...target, ...args], { cwd: await temporaryFolder() })

  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) })
})
