import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMockServer } from '../../../mock-server/index.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { destinationIn, exportClient } from '../../fixtures/export-client.ts'
import { type ExportContext, exportContext, recordsAt } from '../../fixtures/export-context.ts'
import { faultyBucket } from '../../fixtures/faulty-bucket.ts'
import { start, temporaryFolder } from '../../fixtures/touchstone.ts'

const HOUR = 3_600_000
const DAYS = ['2026-01-01T12:00:00Z', '2026-01-02T12:00:00Z', '2026-01-03T12:00:00Z']

test('restores exports and schedules from the state folder after a restart', async () => {
  const options = { state: await temporaryFolder() }
  const bucket = await faultyBucket()
  const before = await exportContext({ options, bucket })
  await before.mock.seedRuns(recordsAt(DAYS))
  const { id } = await before.create()
  await before.reaches(id, 'Completed')
  const schedule = await before.create({ start_time: '2026-01-08T12:00:00Z', end_time: undefined, interval_hours: 24 })
  await eventually(async () => expect(await before.api.ok('GET', '')).toHaveLength(3))
  await before.clock.advance(HOUR)
  const listed = await before.api.ok('GET', '')
  await before.mock.close()

  const after = await exportContext({ options, bucket, destination: before.destination })
  await after.mock.ready()
  expect(await after.api.ok('GET', '')).toEqual(listed)
  const windows = async (context: ExportContext): Promise<string[]> =>
    (await context.api.ok('GET', ''))
      .filter((item: Record<string, unknown>) => item['source_bulk_export_id'] === schedule.id)
      .map((item: { start_time: string }) => item.start_time.slice(0, 13))
  expect(await windows(after)).toEqual(['2026-01-08T12'])
  await after.clock.advance(13 * HOUR)
  expect(await windows(after)).toEqual(['2026-01-09T12', '2026-01-08T12'])
  const created = await after.create()
  await after.reaches(created.id, 'Completed')
  expect((await after.rows(created.id)).map(({ name }) => name)).toEqual(['run-0', 'run-1', 'run-2'])
})

test('encrypts credentials in the state folder and makes it readable only for the owner', async () => {
  const state = await temporaryFolder()
  const credentials = { access_key_id: 'canary', secret_access_key: 'canary-secret', session_token: 'canary-token' }
  const context = await exportContext({ options: { state }, bucket: await faultyBucket(credentials) })
  const { id } = await context.api.ok('POST', '/destinations', destinationIn(context.bucket, credentials))
  expect(JSON.stringify(await context.api.ok('GET', `/destinations/${id}`))).not.toContain('canary')
  for (const name of await readdir(state)) {
    const text = await readFile(join(state, name), 'latin1')
    for (const secret of ['canary-secret', 'canary-token']) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(secret).toString('base64').slice(0, -3))
    }
  }
  expect((await stat(join(state, 'encryption.key'))).mode & 0o077).toBe(0)
  expect((await stat(join(state, 'touchstone.sqlite'))).mode & 0o077).toBe(0)
})

test('rejects another encryption key and still opens with the original one', async () => {
  const state = await temporaryFolder()
  const context = await exportContext({ options: { state } })
  await context.mock.close()
  const other = createMockServer({ export: { state, encryptionKey: 'ab'.repeat(32) } })
  await expect(other.ready()).rejects.toThrow('encrypted with another key')
  const original = createMockServer({ export: { state } })
  await original.ready()
  await original.close()
})

test('names the file of a damaged key and still opens with the original key', async () => {
  const state = await temporaryFolder()
  const file = join(state, 'encryption.key')
  await (await exportContext({ options: { state } })).mock.close()
  const key = await readFile(file, 'utf8')
  await writeFile(file, key.slice(0, 20))
  const { code, stderr } = await start(['serve', '--port', '0', '--state', state]).ended
  expect(code).toBe(2)
  expect(stderr).toContain(`error: The file ${file} has no valid encryption key (`)
  expect(stderr).not.toContain(key.slice(0, 20))
  await writeFile(file, key)
  const original = createMockServer({ export: { state } })
  await original.ready()
  await original.close()
})

test('rejects a batch with an invalid record as a whole and accepts later batches', async () => {
  const context = await exportContext({ options: { state: await temporaryFolder() } })
  const [good, bad] = recordsAt(DAYS.slice(0, 2))
  const invalid = { ...bad, outputs: { count: 1n } } as unknown as typeof bad
  await expect(context.mock.seedRuns([good, invalid].flatMap((record) => record ?? []))).rejects.toThrow('BigInt')
  await context.mock.seedRuns(recordsAt(DAYS.slice(2)))
  const { id } = await context.create()
  await context.reaches(id, 'Completed')
  expect((await context.rows(id)).map((row) => row['start_time'])).toEqual([new Date(DAYS[2] ?? '')])
})

test('rejects a state folder that another server uses', async () => {
  const state = await temporaryFolder()
  await exportContext({ options: { state } })
  await expect(createMockServer({ export: { state } }).ready()).rejects.toThrow('another server uses it')
})

test('serve rejects an unusable state folder', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'file'), '')
  const { code, stderr } = await start(['serve', '--port', '0', '--state', join(folder, 'file')]).ended
  expect(code).toBe(2)
  expect(stderr).toContain('choose a writable folder')
  expect(stderr).not.toMatch(/^\s+at /m)
})

test('reset deletes the state on disk', async () => {
  const state = await temporaryFolder()
  const context = await exportContext({ options: { state } })
  await context.mock.seedRuns(recordsAt(DAYS))
  await context.create()
  context.mock.reset()
  await context.mock.close()
  const copy = join(await temporaryFolder(), 'copy')
  await mkdir(copy)
  for (const name of await readdir(state)) await copyFile(join(state, name), join(copy, name))
  const after = createMockServer({ export: { state: copy } })
  expect(await exportClient(after).ok('GET', '')).toEqual([])
  expect(await exportClient(after).ok('GET', '/destinations')).toEqual([])
  await after.close()
})
