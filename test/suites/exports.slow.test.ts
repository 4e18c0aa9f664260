import { ListBucketsCommand } from '@aws-sdk/client-s3'
import { expect, onTestFinished, test } from 'vitest'
import { type BucketStore, isAccount } from '../../fixtures/bucket/bucket.ts'
import { bucketClient } from '../../fixtures/bucket/client.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { defaultExportPolicies } from '../../mock-server/export/policies.ts'
import { formats } from '../../reporters/index.ts'
import type { Decision } from '../../suites/evaluate/decisions.ts'
import type { TargetEndpoint } from '../../suites/harness/manifest.ts'
import { testTarget } from '../../suites/runner/test-target.ts'
import { type ExportServerOptions, startExportServer } from '../../targets/reference-server.ts'
import { exportDecisions } from '../fixtures/export-decisions.ts'

async function store(): Promise<BucketStore> {
  const opened = await openBucketStore('embedded')
  onTestFinished(opened.close)
  return opened.store
}

async function mockExports(options: ExportServerOptions = {}): Promise<TargetEndpoint> {
  const { endpoint, close } = await startExportServer(options)
  onTestFinished(close)
  return endpoint
}

const unmet = (found: readonly Decision[]) =>
  found
    .filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
    .map(({ requirement, failure }) => [requirement, failure?.message])

test('without a driver, no requirement fails, and inconclusive ones name it', async () => {
  const { export: declared, ...endpoint } = await mockExports()
  const { driver: _, ...rest } = declared ?? { session: '' }

  const found = await exportDecisions({ ...endpoint, export: rest }, await store())

  expect(found.filter(({ verdict }) => ['fail', 'error'].includes(verdict))).toEqual([])
  const locked = found.filter(({ verdict }) => verdict === 'inconclusive')
  expect(locked.length).toBeGreaterThan(20)
  expect(locked.filter(({ unlock }) => !/driver|window with runs/.test(unlock ?? ''))).toEqual([])
})

test('the checks remove their buckets and schedules', async () => {
  const [endpoint, bucket] = [await mockExports(), await store()]

  const found = await exportDecisions(endpoint, bucket)

  const client = bucketClient(bucket, 'root')
  onTestFinished(() => client.destroy())
  const { Buckets = [] } = await client.send(new ListBucketsCommand())
  const response = await fetch(`${endpoint.url}/api/v1/bulk-exports`, { headers: endpoint.headers ?? {} })
  const exports = (await response.json()) as { status: string }[]
  expect(unmet(found)).toEqual([])
  expect(Buckets).toEqual([])
  expect(exports.filter(({ status }) => status === 'IntervalScheduled')).toEqual([])
})

test('a test file that remains in the bucket fails only the requirement about it', async () => {
  const writeTestFile = defaultExportPolicies.writeTestFile
  const endpoint = await mockExports({
    policies: {
      export: {
        writeTestFile: async (bucket, key) => {
          await writeTestFile(bucket, key)
          await bucket.put(key, new TextEncoder().encode('left'))
        },
      },
    },
  })

  const { requirements } = await testTarget(
    { endpoints: { export: endpoint } },
    { seed: 'seed', bucket: await store(), selection: { ids: ['export.destination.test-file.*', 'export.auth.*'] } },
  )

  expect(requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([
    'export.destination.test-file.deleted',
  ])
})

test('concurrent repeats of schedules do not disturb each other: only one moves the clock at a time', async () => {
  const bucket = await store()
  const endpoint = await mockExports()

  const { requirements } = await testTarget(
    { endpoints: { export: endpoint } },
    { seed: 'seed', bucket, repeat: 3, selection: { ids: ['export.schedule.*', 'export.file.border*'] } },
  )

  const settled = new Set(['pass', 'observed'])
  expect(requirements.filter(({ verdict }) => !settled.has(verdict)).map(({ id }) => id)).toEqual([])
})

test('no report contains a credential of the bucket, even if many requests in the evidence do', async () => {
  const bucket = await store()
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

  const found = await exportDecisions(endpoint, await store())

  const locked = found.filter(({ verdict }) => verdict === 'inconclusive')
  expect(unmet(found.filter((one) => !locked.includes(one)))).toEqual([])
  expect(locked.filter(({ requirement }) => !/^export\.(schedule|cancel)\./.test(requirement))).toEqual([])
  expect(found.find(({ requirement }) => requirement === 'export.record.inputs.value')?.verdict).toBe('pass')
  expect(locked.filter(({ unlock }) => !unlock?.includes('endpoints.export.export.driver'))).toEqual([])
})
