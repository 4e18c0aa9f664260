import { existsSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bucketNames, settingsOf } from '../fixtures/bucket-settings.ts'
import { embeddedStore } from '../fixtures/bucket-stores.ts'
import { eventually } from '../fixtures/eventually.ts'
import { activeSchedules, type ExportTarget, exportTarget } from '../fixtures/export-target.ts'
import { command, start, touchstone } from '../fixtures/touchstone.ts'

const schedules = ['--id', 'export.schedule.*', '--id', 'export.cancel.*', '--id', 'export.create.*']

async function args(target: ExportTarget, ...more: string[]) {
  return ['test', '--config', await target.config(), '--report', target.reports, ...schedules, ...more]
}

const isCancellation = (request: Request) => request.method === 'PATCH'
const isCreation = ({ method, url }: Request) => method === 'POST' && url.endsWith('/bulk-exports')

/** Sends no response until the client aborts the request. */
function noResponse(request: Request): Promise<Response> {
  return new Promise((resolve) =>
    request.signal.addEventListener('abort', () => resolve(new Response(null, { status: 500 }))),
  )
}

test('cleans up after a signal, even if the target does not respond to checks', async () => {
  const store = await embeddedStore()
  const target = await exportTarget({
    wrap: (fetch) => async (request) => (request.url.endsWith('/runs') ? noResponse(request) : fetch(request)),
  })
  const run = await args(target, '--bucket', 'env')
  let isInterrupted = false

  const { code, stderr } = await touchstone(run, {
    env: settingsOf(store),
    onStderr: async (text, interrupt) => {
      if (isInterrupted || !text.includes(' checks')) return
      isInterrupted = true
      // The file lists the schedules that exist now.
      await eventually(() => expect(existsSync(join(target.reports, 'leftovers.json'))).toBe(true))
      // Once from the terminal, and once from a parent process that forwards it.
      interrupt()
      interrupt()
    },
  })

  expect(code).not.toBe(0)
  expect(stderr).toContain('SIGINT: cleaning up; press Ctrl-C again to quit')
  expect(await bucketNames(store)).toEqual([])
  expect(activeSchedules(await target.exports())).toEqual([])
  expect(existsSync(join(target.reports, 'leftovers.json'))).toBe(false)
})

test('prints how to clean up if cancelling fails, and cleanup can be repeated', async () => {
  let broken = true
  const target = await exportTarget({
    wrap: (fetch) => async (request) =>
      broken && isCancellation(request) ? new Response('no workers', { status: 503 }) : fetch(request),
  })
  const config = await target.config()
  const state = join(target.reports, 'leftovers.json')

  const run = await command(await args(target))
  const left = activeSchedules(await target.exports())
  const early = await command(['cleanup', '--config', config, '--state', state])
  broken = false
  const copy = join(target.reports, 'copy.json')
  await copyFile(state, copy)
  const cleaned = await command(['cleanup', '--config', config, '--state', state])
  const again = await command(['cleanup', '--config', config, '--state', state])
  const unnamed = await command(['cleanup', '--state', copy], { cwd: target.folder })
  const elsewhere = await command(['cleanup', '--config', config, '--state', copy])

  expect(run.stderr).toMatch(/^\d+ scheduled exports could not be cancelled/m)
  expect(run.stderr).toContain(`touchstone cleanup --state ${state}`)
  expect(left.length).toBeGreaterThan(5)
  expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining('received 503') })
  expect(cleaned).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('all removed') })
  expect(left.filter(({ id }) => !cleaned.stdout.includes(`cancelled: scheduled export ${id} at "export"`))).toEqual([])
  expect(activeSchedules(await target.exports())).toEqual([])
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to remove') })
  const message = `lists resources on ${target.endpoint.url}/. Give the options of that run: --config FILE, or --export-url`
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  expect(elsewhere).toMatchObject({ code: 0, stdout: expect.stringContaining('had ended before') })
})

test('leaves a list without secrets if the run is killed, and cleans up only that target', async () => {
  const target = await exportTarget({
    wrap: (fetch) => async (request) => (request.url.endsWith('/runs') ? noResponse(request) : fetch(request)),
  })
  const state = join(target.reports, 'leftovers.json')

  const run = start(await args(target))
  await eventually(async () => expect(activeSchedules(await target.exports()).length).toBeGreaterThan(0))
  run.process.kill('SIGKILL')
  await run.ended

  expect(await readFile(state, 'utf8')).not.toMatch(/touchstone-enterprise|Bearer/)
  const elsewhere = join(target.folder, 'elsewhere.json')
  await writeFile(
    elsewhere,
    JSON.stringify({ endpoints: { export: { ...target.endpoint, url: 'http://127.0.0.1:9' } } }),
  )
  const wrong = await command(['cleanup', '--config', elsewhere, '--state', state])
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining(`at ${target.endpoint.url}`) })
  const cleaned = await command(['cleanup', '--config', await target.config(), '--state', state])
  expect(cleaned).toMatchObject({ code: 0, stderr: '' })
  expect(activeSchedules(await target.exports())).toEqual([])
})

/** A target whose driver is a module that seeds runs, and moves the clock with this function. */
async function targetWithDriver(advanceClock: string) {
  const target = await exportTarget()
  const driver = join(target.folder, 'driver.mjs')
  const { export: declared } = target.endpoint
  const { url, headers } = Object(declared?.driver)
  const seeding = JSON.stringify({ method: 'POST', headers: { ...headers, 'content-type': 'application/json' } })
  await writeFile(
    driver,
    [
      `export const seedRuns = (records) => fetch('${url}/traces', { ...${seeding}, body: JSON.stringify({ records }) })`,
      'export const now = async () => Date.now()',
      `export const advanceClock = ${advanceClock}`,
    ].join('\n'),
  )
  const endpoint = { ...target.endpoint, export: { ...declared, session: declared?.session ?? '', driver } }
  const config = await target.config({}, endpoint)
  // The schedule of this requirement exists when the clock is advanced for the first time.
  const run = ['test', '--config', config, '--report', target.reports, '--id', 'export.schedule.spawns']
  return { target, run }
}

test('reports an uncaught error of a driver as a problem, cleans up and ends', async () => {
  const { target, run } = await targetWithDriver(
    "() => { setInterval(() => {}, 1000); setTimeout(() => { throw new Error('lost the clock') }); return Promise.reject() }",
  )

  const { code, stdout } = await touchstone(run)

  const all = await target.exports()
  expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining('lost the clock') })
  const report = JSON.parse(await readFile(join(target.reports, 'report.json'), 'utf8'))
  expect(report.problems).toEqual(['an error outside of the checks: lost the clock'])
  expect(all.filter(({ interval_hours }) => interval_hours !== null).length).toBeGreaterThan(0)
  expect(activeSchedules(all)).toEqual([])
})

test('fails with exit code 2 and prints how to clean up if a driver ends the process', async () => {
  const { target, run } = await targetWithDriver('() => process.exit(0)')

  const { code, stderr } = await touchstone(run)

  const state = join(target.reports, 'leftovers.json')
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`touchstone cleanup --state ${state}`) })
  expect(existsSync(state)).toBe(true)
})

test('cancels a schedule whose creation had an error response from a gateway', async () => {
  const target = await exportTarget({
    wrap: (fetch) => async (request) => {
      const response = await fetch(request)
      const scheduled = isCreation(request) && (await response.clone().text()).includes('IntervalScheduled')
      return scheduled ? new Response('the gateway gave up', { status: 504 }) : response
    },
  })

  await command(await args(target))

  const all = await target.exports()
  expect(all.filter(({ interval_hours }) => interval_hours !== null).length).toBeGreaterThan(0)
  expect(activeSchedules(all)).toEqual([])
})
