import { existsSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { bucketNames, settingsOf } from '../fixtures/bucket-settings.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type ExportTarget, exportTarget, living } from '../fixtures/export-target.ts'
import { start } from '../fixtures/process.ts'
import { touchstone } from '../fixtures/touchstone.ts'

const schedules = ['--id', 'export.schedule.*', '--id', 'export.cancel.*', '--id', 'export.create.*']

async function args(target: ExportTarget, ...more: string[]) {
  return ['test', '--config', await target.config(), '--report', target.reports, ...schedules, ...more]
}

const isCancellation = (request: Request) => request.method === 'PATCH'
const isCreation = ({ method, url }: Request) => method === 'POST' && url.endsWith('/bulk-exports')

/** Answers nothing as long as the request is waited for. */
function silence(request: Request): Promise<Response> {
  return new Promise((resolve) =>
    request.signal.addEventListener('abort', () => resolve(new Response(null, { status: 500 }))),
  )
}

test('after a run no scheduled export lives on, and nothing is left to clean up', async () => {
  const target = await exportTarget()

  const { code, stderr } = await touchstone(await args(target))

  const all = await target.exports()
  expect(code).toBe(0)
  expect(all.filter(({ interval_hours }) => interval_hours !== null).length).toBeGreaterThan(5)
  expect(living(all)).toEqual([])
  expect(stderr).not.toContain('cleanup')
  expect(existsSync(join(target.reports, 'living.json'))).toBe(false)
})

test('at a signal they are cancelled and buckets removed, also where the target keeps checks waiting', async () => {
  const { store, close } = await openBucketStore('embedded')
  onTestFinished(close)
  const target = await exportTarget({
    wrap: (fetch) => async (request) => (request.url.endsWith('/runs') ? silence(request) : fetch(request)),
  })
  const run = await args(target, '--bucket', 'env')
  let signalled = false

  const { code, stderr } = await touchstone(run, {
    env: settingsOf(store),
    onStderr: async (text, interrupt) => {
      if (signalled || !text.includes('decided')) return
      signalled = true
      // Some live now: the file tells so.
      await eventually(() => expect(existsSync(join(target.reports, 'living.json'))).toBe(true))
      // From the terminal, and once more from a parent process that passes it on.
      interrupt()
      interrupt()
    },
  })

  expect(code).not.toBe(0)
  expect(stderr).toContain('SIGINT: ending what lives on by itself')
  expect(await bucketNames(store)).toEqual([])
  expect(living(await target.exports())).toEqual([])
  expect(existsSync(join(target.reports, 'living.json'))).toBe(false)
})

test('where cancelling fails the run says what to do, and cleanup does it, as often as you like', async () => {
  let broken = true
  const target = await exportTarget({
    wrap: (fetch) => async (request) =>
      broken && isCancellation(request) ? new Response('no workers', { status: 503 }) : fetch(request),
  })
  const config = await target.config()
  const state = join(target.reports, 'living.json')

  const run = await touchstone(await args(target))
  const left = living(await target.exports())
  const early = await touchstone(['cleanup', '--config', config, '--state', state])
  broken = false
  const copy = join(target.reports, 'copy.json')
  await copyFile(state, copy)
  const cleaned = await touchstone(['cleanup', '--config', config, '--state', state])
  const again = await touchstone(['cleanup', '--config', config, '--state', state])
  const unnamed = await touchstone(['cleanup', '--state', copy], { cwd: target.folder })
  const elsewhere = await touchstone(['cleanup', '--config', config, '--state', copy])

  expect(run.stderr).toMatch(/^\d+ scheduled exports could not be cancelled/m)
  expect(run.stderr).toContain(`touchstone cleanup --state ${state}`)
  expect(left.length).toBeGreaterThan(5)
  expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining('answered 503') })
  expect(cleaned).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('none of it lives any more') })
  expect(left.filter(({ id }) => !cleaned.stdout.includes(`cancelled: scheduled export ${id} at "export"`))).toEqual([])
  expect(living(await target.exports())).toEqual([])
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to end') })
  const named = `lists what lives on ${target.endpoint.url}/; give the options of that run, --config FILE or --export-url`
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining(named) })
  expect(elsewhere).toMatchObject({ code: 0, stdout: expect.stringContaining('had ended before') })
})

test('a run that is killed leaves a list behind: without a secret, and of the one target', async () => {
  const target = await exportTarget({
    wrap: (fetch) => async (request) => (request.url.endsWith('/runs') ? silence(request) : fetch(request)),
  })
  const state = join(target.reports, 'living.json')

  const run = start(await args(target))
  await eventually(async () => expect(living(await target.exports()).length).toBeGreaterThan(0))
  run.process.kill('SIGKILL')
  await run.ended

  expect(await readFile(state, 'utf8')).not.toMatch(/touchstone-enterprise|Bearer/)
  const elsewhere = join(target.folder, 'elsewhere.json')
  await writeFile(
    elsewhere,
    JSON.stringify({ endpoints: { export: { ...target.endpoint, url: 'http://127.0.0.1:9' } } }),
  )
  const wrong = await touchstone(['cleanup', '--config', elsewhere, '--state', state])
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining(`at ${target.endpoint.url}`) })
  const cleaned = await touchstone(['cleanup', '--config', await target.config(), '--state', state])
  expect(cleaned).toMatchObject({ code: 0, stderr: '' })
  expect(living(await target.exports())).toEqual([])
})

test('a worker that dies takes nothing with it: what it made is cancelled all the same', async () => {
  const target = await exportTarget()
  const driver = join(target.folder, 'driver.mjs')
  // The schedule is there when the clock is first moved on.
  const { export: declared } = target.endpoint
  const { url, headers } = Object(declared?.driver)
  const seeding = JSON.stringify({ method: 'POST', headers: { ...headers, 'content-type': 'application/json' } })
  await writeFile(
    driver,
    [
      `export const seedRuns = (records) => fetch('${url}/traces', { ...${seeding}, body: JSON.stringify({ records }) })`,
      'export const now = async () => Date.now()',
      'export const advanceClock = () => process.reallyExit(1)',
    ].join('\n'),
  )
  const config = await target.config(
    {},
    { ...target.endpoint, export: { ...declared, session: declared?.session ?? '', driver } },
  )

  const { code } = await touchstone([
    'test',
    '--config',
    config,
    '--report',
    target.reports,
    '--id',
    'export.schedule.spawns',
  ])

  const all = await target.exports()
  expect(code).toBe(2)
  expect(all.filter(({ interval_hours }) => interval_hours !== null)).toHaveLength(1)
  expect(living(all)).toEqual([])
})

test('a schedule whose creation was answered by a gateway alone is found by its destination, and cancelled', async () => {
  const target = await exportTarget({
    wrap: (fetch) => async (request) => {
      const answer = await fetch(request)
      const scheduled = isCreation(request) && (await answer.clone().text()).includes('IntervalScheduled')
      return scheduled ? new Response('the gateway gave up', { status: 504 }) : answer
    },
  })

  await touchstone(await args(target))

  const all = await target.exports()
  expect(all.filter(({ interval_hours }) => interval_hours !== null).length).toBeGreaterThan(0)
  expect(living(all)).toEqual([])
})
