import { PutObjectCommand } from '@aws-sdk/client-s3'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, onTestFinished, test } from 'vitest'
import { bucketClient as clientOf } from '../../fixtures/bucket/client.ts'
import { bucketClient } from '../../suites/harness/export/bucket-client.ts'
import { openSession } from '../../suites/harness/session.ts'
import { embeddedStore } from '../fixtures/bucket-stores.ts'

/** Puts an object with the secret of an account into a bucket and reads it; returns the secret and the trace. */
async function readObject(key: string, contentOf: (secret: string) => Uint8Array) {
  const store = await embeddedStore()
  const endpoint = { url: 'http://127.0.0.1:9', export: { workspace: '', session: '' } }
  const session = openSession({ endpoints: { export: endpoint }, bucket: store }, 'export', 'seed')
  onTestFinished(() => session.close())
  const entries: string[] = []
  session.trace.follow((entry) => entries.push(JSON.stringify(entry)))
  const described = { endpoint: 'export', title: 'reads an object', round: 1, exercises: [] }
  const bucket = bucketClient(session, session.trace.scenario(described, session.redaction, 'documented'))
  const secret = bucket.credentials('full').secret_access_key
  const name = await bucket.create()
  const content = contentOf(secret)
  const owner = clientOf(store, 'root')
  onTestFinished(() => owner.destroy())
  await owner.send(new PutObjectCommand({ Bucket: name, Key: key, Body: content }))
  await bucket.read(name, { key, size: content.length })
  return { secret, trace: entries.join('') }
}

const found = '"secrets":["[redacted:TOUCHSTONE_S3_FULL_SECRET_ACCESS_KEY]"]'

test('the trace has the start of an object that is no Parquet file, without any part of a secret', async () => {
  const text = (secret: string) => `id,name,key\n1,first,${'x'.repeat(25)} ${secret}\n`

  const { secret, trace } = await readObject('rows.csv', (secret) => Buffer.from(text(secret)))

  const [start = ''] = trace.match(/"start":"[^"]*"/) ?? []
  expect(start).toContain('id,name,key 1,first,xxx')
  expect(start).not.toContain(secret.slice(0, 4))
  expect(trace).toContain(found)
})

test('the trace names a secret in the metadata of a Parquet file', async () => {
  const columnData = [{ name: 'id', data: ['1'] }]
  const { secret, trace } = await readObject('rows.parquet', (secret) => {
    return new Uint8Array(parquetWriteBuffer({ columnData, kvMetadata: [{ key: 'writer', value: `with ${secret}` }] }))
  })

  expect(trace).not.toContain(secret)
  expect(trace).toContain(found)
})
