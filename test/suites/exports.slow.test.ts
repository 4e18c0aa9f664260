import { expect, test } from 'vitest'
import { isAccount } from '../../fixtures/bucket/bucket.ts'
import { formats } from '../../reporters/index.ts'
import type { Decision } from '../../suites/evaluate/decisions.ts'
import { testTarget } from '../../suites/runner/test-target.ts'
import type { ExportServerOptions } from '../../targets/reference-server.ts'
import { embeddedStore } from '../fixtures/bucket-stores.ts'
import { exportDecisions } from '../fixtures/export-decisions.ts'
import { exportTarget } from '../fixtures/export-target.ts'

const mockExports = async (options?: ExportServerOptions) => (await exportTarget(options)).endpoint

const unmet = (found: readonly Decision[]) =>
  found
    .filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
    .map(({ requirement, failure }) => [requirement, failure?.message])

test('without a driver, no requirement fails, and inconclusive ones name it', async () => {
  const { export: declared, ...endpoint } = await mockExports()
  const { driver: _, ...rest } = declared ?? { session: '' }

  const found = await exportDecisions({ ...endpoint, export: rest }, await embeddedStore())

  expect(found.filter(({ verdict }) => ['fail', 'error'].includes(verdict))).toEqual([])
  const locked = found.filter(({ verdict }) => verdict === 'inconclusive')
  expect(locked.length).toBeGreaterThan(20)
  expect(locked.filter(({ unlock }) => !/driver|window with runs/.test(unlock ?? ''))).toEqual([])
})

test('concurrent repeats of schedules do not disturb each other: only one moves the clock at a time', async () => {
  const bucket = await embeddedStore()
  const endpoint = await mockExports()

  const { requirements } = await testTarget(
    { endpoints: { export: endpoint } },
    { seed: 'seed', bucket, repeat: 3, selection: { ids: ['export.schedule.*', 'export.file.border*'] } },
  )

  const settled = new Set(['pass', 'observed'])
  expect(requirements.filter(({ verdict }) => !settled.has(verdict)).map(({ id }) => id)).toEqual([])
})

test('no report contains a credential of the bucket, even if many requests in the evidence do', async () => {
  const bucket = await embeddedStore()
  const endpoint = await mockExports({
    policies: { export: { writeTestFile: async () => undefined } },
    wrap: (fetch) => async (request) => {
      const echo = request.method === 'POST' ? await request.clone().text() : ''
      const response = await fetch(request)
      return response.ok ? response : new Response(`${await response.text()} ${echo}`, { status: response.status })
    },
  })

  const report = await testTarget(
    { endpoints: { export: endpoint } },
    { seed: 'seed', bucket, selection: { ids: ['export.destination.*', 'export.errors.*'] } },
  )

  const texts = [formats.json(report), formats.html(report), formats.markdown(report), formats.junit(report)]
  const secrets = Object.values(bucket.accounts).flatMap((account) =>
    isAccount(account) ? [account.secretAccessKey, ...(account.sessionToken ? [account.sessionToken] : [])] : [],
  )
  const spellings = secrets.flatMap((one) => [one, encodeURIComponent(one), btoa(one)])
  expect(report.verdict.exitCode).toBe(1)
  expect(secrets.length).toBeGreaterThan(5)
  expect(spellings.filter((one) => texts.some((text) => text.includes(one)))).toEqual([])
})

test('a driver of HTTP endpoints without a clock leaves only requirements that need one inconclusive', async () => {
  const endpoint = await mockExports({
    wrap: (fetch) => async (request) =>
      request.url.endsWith('/__touchstone/clock') ? Response.json({ detail: 'none' }, { status: 404 }) : fetch(request),
  })

  const found = await exportDecisions(endpoint, await embeddedStore())

  const locked = found.filter(({ verdict }) => verdict === 'inconclusive')
  expect(unmet(found.filter((one) => !locked.includes(one)))).toEqual([])
  expect(locked.filter(({ requirement }) => !/^export\.(schedule|cancel)\./.test(requirement))).toEqual([])
  expect(found.find(({ requirement }) => requirement === 'export.record.inputs.value')?.verdict).toBe('pass')
  expect(locked.filter(({ unlock }) => !unlock?.includes('endpoints.export.export.driver'))).toEqual([])
})
