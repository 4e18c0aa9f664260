import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultExportPolicies } from '../../mock-server/export/policies.ts'
import { readReport } from '../../reporters/model/read.ts'
import { mutants } from '../../targets/mutants/index.ts'
import { bucketNames, settingsOf } from '../fixtures/bucket-settings.ts'
import { living } from '../fixtures/export-target.ts'
import { type LaunchScene, launchScene } from '../fixtures/launched.ts'
import { type CommandResult, temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

const cancelled = ['stops-spawning', 'spares-spawned', 'spawned-alone'].map((name) => `export.cancel.${name}`)
const judged = ['export.schedule.*', ...cancelled].flatMap((id) => ['--id', id])

type Settings = Readonly<Record<string, string>>

/** The command line in front of a service: launch, verify and clean up with one state file. */
async function operator(scene: LaunchScene, settings: (usual: Settings) => Settings = (usual) => usual) {
  const { target, bucket, declared } = scene
  const state = join(target.folder, 'launched.json')
  const config = ['--config', await target.config({}, declared)]
  const env = settings(settingsOf(bucket))
  const call = (...args: string[]): Promise<CommandResult> => touchstone(args, { env })
  const phase = ['--state', state, '--bucket', 'env', ...config]
  return {
    state,
    launch: () => call('test', '--phase', 'launch', ...phase),
    verify: () => call('test', '--phase', 'verify', ...phase, ...judged, '--report', target.reports),
    cleanup: () => call('cleanup', '--state', state, ...config),
    rows: async () => {
      const file = join(target.reports, 'report.json')
      return readReport(await readFile(file, 'utf8'), file).requirements
    },
  }
}

test('launched, and verified hours later: conformant, and nothing is left', async () => {
  const scene = await launchScene()
  const { launch, verify, cleanup, state, rows } = await operator(scene)

  const launched = await launch()
  await scene.pass(4)
  const verified = await verify()

  expect(launched).toMatchObject({ code: 0, stdout: expect.stringContaining(`--phase verify --state ${state}`) })
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringMatching(/^conformant on what was selected/) })
  const unsettled = (await rows()).filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
  expect(unsettled.map(({ id }) => id)).toEqual([])
  expect(living(await scene.target.exports())).toEqual([])
  expect(await bucketNames(scene.bucket)).toEqual([])
  expect(await verify()).toMatchObject({ code: 2, stderr: expect.stringMatching(/was judged at .* launch anew/) })
  expect(await cleanup()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to end') })
})

test('too early nothing is judged that may still come, and all goes on', async () => {
  const scene = await launchScene()
  const { launch, verify, rows, state } = await operator(scene)

  const { stdout } = await launch()
  const [from = ''] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(stdout) ?? []
  await scene.pass(0.5)
  const early = await verify()
  const earlyRows = await rows()
  await scene.pass(2.5)
  const later = await verify()

  expect(early.code).toBe(3)
  expect(early.stderr).toContain(`What was launched lives on. Judge it with the same command from ${from} on`)
  const locked = earlyRows.filter(({ verdict }) => verdict === 'inconclusive')
  expect(locked.map(({ id }) => id)).toContain('export.schedule.every-window')
  expect(locked.filter(({ outcomes }) => !outcomes.some(({ unlock }) => unlock?.includes(from)))).toEqual([])
  expect(earlyRows.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  expect(later.code).toBe(0)
  expect(await readFile(state, 'utf8')).not.toMatch(/touchstone-enterprise|secret|Bearer/i)
})

test('a window that was lost meanwhile is found', async () => {
  const lost = mutants.find(({ id }) => id === 'export.schedule.window-lost')
  const scene = await launchScene({ policies: { export: lost?.exportPolicies?.(defaultExportPolicies) ?? {} } })
  const { launch, verify, rows } = await operator(scene)

  await launch()
  await scene.pass(4)
  const { code } = await verify()

  expect(code).toBe(1)
  const failed = (await rows()).filter(({ verdict }) => verdict === 'fail')
  expect(failed.map(({ id }) => id)).toEqual(['export.schedule.every-window'])
})

test('what was launched is cleaned up without a verdict', async () => {
  const scene = await launchScene()
  const { launch, verify, cleanup } = await operator(scene)

  await launch()
  const going = living(await scene.target.exports())
  const cleaned = await cleanup()

  expect(going).toHaveLength(2)
  expect(cleaned).toMatchObject({ code: 0, stdout: expect.stringContaining('removed: bucket touchstone-') })
  expect(living(await scene.target.exports())).toEqual([])
  expect(await bucketNames(scene.bucket)).toEqual([])
  expect(await cleanup()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to end') })
  expect(await verify()).toMatchObject({ code: 2, stderr: expect.stringMatching(/was cleaned up at .* launch anew/) })
  expect(await launch()).toMatchObject({ code: 0, stdout: expect.stringContaining('launched at "export"') })
  expect(living(await scene.target.exports())).toHaveLength(2)
  expect(await launch()).toMatchObject({ code: 2, stderr: expect.stringContaining('exists: verify or clean up') })
})

test.each<[string, (usual: Settings) => Settings, RegExp]>([
  [
    'has nobody who makes buckets',
    (usual) => Object.fromEntries(Object.entries(usual).filter(([name]) => !name.includes('_ROOT_'))),
    /TOUCHSTONE_S3_ROOT_ACCESS_KEY_ID/,
  ],
  [
    'is not there',
    (usual) => ({ ...usual, TOUCHSTONE_S3_ENDPOINT: 'http://127.0.0.1:9' }),
    /makes no bucket: .*; check its endpoint/,
  ],
  [
    'does not know the account',
    (usual) => ({ ...usual, TOUCHSTONE_S3_ROOT_ACCESS_KEY_ID: 'nobody' }),
    /makes no bucket: .*; check its endpoint/,
  ],
])('a launch whose store %s launches nothing and leaves no file', async (_, settings, message) => {
  const scene = await launchScene()
  const { launch, state } = await operator(scene, settings)

  const { code, stderr } = await launch()

  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^error: no scheduled exports were created: /),
  })
  expect(stderr).toMatch(message)
  await expect(readFile(state)).rejects.toThrow(/ENOENT/)
})

test('a launch that is refused half way leaves nothing', async () => {
  let creations = 0
  const scene = await launchScene({
    wrap: (fetch) => async (request) => {
      const creation = request.method === 'POST' && request.url.endsWith('/bulk-exports')
      return creation && ++creations > 1 ? Response.json({ detail: 'no more' }, { status: 403 }) : fetch(request)
    },
  })
  const { launch, verify } = await operator(scene)

  expect(await launch()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: no scheduled exports were created: .*403/),
  })
  const all = await scene.target.exports()
  expect(all.filter(({ interval_hours }) => interval_hours !== null)).toHaveLength(1)
  expect(living(all)).toEqual([])
  expect(await bucketNames(scene.bucket)).toEqual([])
  expect(await verify()).toMatchObject({ code: 2, stderr: expect.stringContaining('launched.json cannot be read') })
})

test.each([
  ['a state without a phase', ['--state', 'x.json'], /--state is for --phase launch/],
  ['a phase without a state', ['--phase', 'launch'], /needs a file to keep what was launched: --state FILE/],
  [
    'a store that ends with the run',
    ['--phase', 'launch', '--state', 'x.json'],
    /--bucket env .*received --bucket embedded/,
  ],
  [
    'one launch judged twice',
    ['--phase', 'verify', '--state', 'x.json', '--bucket', 'env', '--repeat', '2'],
    /cannot be combined with --repeat or --shard/,
  ],
  ['a phase that is none', ['--phase', 'start', '--state', 'x.json'], /Allowed choices are launch, verify/],
  [
    'a state that is not there',
    ['--phase', 'verify', '--state', 'x.json', '--bucket', 'env'],
    /x\.json cannot be read/,
  ],
])('%s is a usage error', async (_, args, message) => {
  const target = ['--export-url', 'http://127.0.0.1:1', '--session', '5e000000-0000-4000-8000-000000000001']

  const { code, stderr } = await touchstone(['test', ...target, ...args], { cwd: await temporaryFolder() })

  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) })
})
