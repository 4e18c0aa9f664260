import { startFauxqs } from 'fauxqs'
import { beforeAll, expect, test } from 'vitest'
import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import type { Report } from '../../reporters/model/report.ts'
import { testTarget } from '../../suites/runner/test-target.ts'
import type { ExportServerOptions } from '../../targets/reference-server.ts'
import { embeddedStore } from '../fixtures/bucket-stores.ts'
import { exportTarget } from '../fixtures/export-target.ts'

const accounts = ['ROOT', 'FULL', 'NO_DELETE', 'NONE']
let endpoint: string
let store: (secret: string) => Promise<BucketStore>

beforeAll(async () => {
  const server = await startFauxqs({ port: 0, logger: false })
  endpoint = `http://127.0.0.1:${server.port}`
  store = async (secret) => {
    const keys = accounts.flatMap((name) => [
      [`TOUCHSTONE_S3_${name}_ACCESS_KEY_ID`, 'test'],
      [`TOUCHSTONE_S3_${name}_SECRET_ACCESS_KEY`, secret],
    ])
    const env = Object.fromEntries([['TOUCHSTONE_S3_ENDPOINT', endpoint], ...keys])
    return (await openBucketStore('env', { env })).store
  }
  return () => server.stop()
})

async function reportOf(bucket: BucketStore, options: ExportServerOptions = {}): Promise<Report> {
  const { endpoint } = await exportTarget(options)
  const ids = ['export.destination.*', 'export.errors.*']
  return testTarget({ endpoints: { export: endpoint } }, { seed: 'seed', bucket, selection: { ids } })
}

const failed = ({ requirements }: Report) =>
  requirements.filter(({ verdict }) => ['fail', 'warning', 'blocked', 'error'].includes(verdict))

test('a store that accepts every caller fails no service: requirements about its refusals are inconclusive and name the store', async () => {
  const report = await reportOf(await store('test'))

  expect(failed(report).map(({ id }) => id)).toEqual([])
  const locked = report.requirements.filter(({ verdict }) => verdict === 'inconclusive')
  const why = new Map(locked.map(({ id, outcomes }) => [id, outcomes[0]]))
  expect([...why.keys()]).toEqual(
    expect.arrayContaining([
      'export.destination.test-file.rejects',
      'export.destination.test-file.written',
      'export.errors.access-denied.refused',
      'export.errors.access-denied.text',
      'export.errors.unknown-key.refused',
      'export.errors.unknown-key.text',
      'export.errors.wrong-secret',
    ]),
  )
  expect(why.get('export.errors.unknown-key.refused')).toMatchObject({
    failure: { message: `expected the store ${endpoint} to refuse a file with an unknown key id, but it accepts it` },
    unlock: expect.stringContaining('docs/guides/buckets.md'),
  })

  // A secret that is a common word does not count as leaked, and the report stays readable.
  const row = report.requirements.find(({ id }) => id === 'export.destination.credentials.not-answered')
  expect(row?.verdict).toBe('inconclusive')
  expect(row?.outcomes[0]?.unlock).toContain(
    'set TOUCHSTONE_S3_FULL_SECRET_ACCESS_KEY, TOUCHSTONE_S3_NONE_SECRET_ACCESS_KEY to a secret of 16 characters or more',
  )
  expect(JSON.stringify(report)).not.toContain('la[redacted]')
})

test('finds a distinctive secret also with a store that accepts every caller', async () => {
  const secret = 'a secret that stands nowhere else'
  const tells: ExportServerOptions = {
    wrap: (fetch) => async (request) => {
      const response = await fetch(request)
      response.headers.set('x-debug', `secret=${encodeURIComponent(secret)}`)
      return response
    },
  }

  const report = await reportOf(await store(secret), tells)

  expect(failed(report).map(({ id }) => id)).toEqual(['export.destination.credentials.not-answered'])
  expect(JSON.stringify(report)).not.toContain(encodeURIComponent(secret))
})

test('a service that ignores the refusal of a store fails, because the refusal of the store is tested first', async () => {
  const report = await reportOf(await embeddedStore(), {
    policies: { export: { writeTestFile: async () => undefined } },
  })

  expect(failed(report).map(({ id }) => id)).toEqual(
    expect.arrayContaining(['export.errors.access-denied.refused', 'export.errors.unknown-key.refused']),
  )
})
