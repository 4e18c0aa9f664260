import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, onTestFinished, test } from 'vitest'
import { bucketClient as clientOf } from '../../fixtures/bucket/client.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { bucketClient } from '../../suites/harness/export/bucket-client.ts'
import { openSession } from '../../suites/harness/session.ts'

test('the trace has the start of an object that is no Parquet file, without any part of a secret', async () => {
  const { store, close } = await openBucketStore('embedded')
  onTestFinished(close)
  const endpoint = { url: 'http://127.0.0.1:9', export: { workspace: '', session: '' } }
  const session = openSession({ endpoints: { export: endpoint }, bucket: store }, 'export', 'seed')
  onTestFinished(() => session.close())
  const entries: string[] = []
  session.trace.follow((entry) => entries.push(JSON.stringify(entry)))
  const described = { endpoint: 'export', title: 'reads an object', round: 1, exercises: [] }
  const bucket = bucketClient(session, session.trace.scenario(described, session.redaction, 'documented'))
  const secret = bucket.credentials('full').secret_access_key
  const name = await bucket.create()
  const text = `id,name,key\n1,first,${'x'.repeat(25)} ${secret}\n`
  const owner = clientOf(store, 'root')
  onTestFinished(() => owner.destroy())
  await owner.send(new PutObjectCommand({ Bucket: name, Key: 'rows.csv', Body: text }))

  await bucket.read(name, { key: 'rows.csv', size: text.length })

  const [start = ''] = entries.join('').match(/"start":"[^"]*"/) ?? []
  expect(start).toContain('id,name,key 1,first,xxx')
  expect(start).not.toContain(secret.slice(0, 4))
})
