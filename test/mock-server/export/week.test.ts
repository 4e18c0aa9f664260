import { describe, expect, test } from 'vitest'
import { traceStream } from '../../../fixtures/traces/stream.ts'
import { parseMicros } from '../../../mock-server/export/traces/micros.ts'
import { bucketStores } from '../../fixtures/bucket-stores.ts'
import { exportContextIn, SESSION, TENANT } from '../../fixtures/export-context.ts'
import { exportedFiles } from '../../fixtures/parquet.ts'

const HOUR = 3_600_000
const DELAY = 10 * 60_000
const WINDOWS = 7 * 24
// Not on the hour, so that one window of each day contains midnight.
const START = Date.parse('2026-01-10T00:17:23.456Z')
const END = START + WINDOWS * HOUR
const MIDNIGHTS = Array.from({ length: 7 }, (_, day) => Date.UTC(2026, 0, 11 + day))

interface SpawnedExport {
  readonly id: string
  readonly [field: string]: unknown
}

describe.each(await bucketStores())('$title', ({ bucket, isMissing }) => {
  test.skipIf(isMissing)(
    'an hourly schedule exports every run of a week exactly once',
    async () => {
      const context = await exportContextIn(await bucket())
      const borders = Array.from({ length: WINDOWS + 1 }, (_, n) => START + n * HOUR)
      // Runs during, before and after the week, and within a microsecond of every border.
      const records = [
        ...traceStream({
          ...{ seed: 'week', tenantId: TENANT, sessionId: SESSION, traces: 500 },
          ...{ startMs: START - HOUR, endMs: END + HOUR, borders: [...borders, ...MIDNIGHTS] },
        }).all(),
      ].flat()
      await context.mock.seedRuns(records)
      const schedule = await context.create({
        start_time: new Date(START).toISOString(),
        end_time: undefined,
        interval_hours: 1,
      })

      await context.clock.advance(END + DELAY - context.clock.now())

      const exports: SpawnedExport[] = await context.api.ok('GET', '')
      const spawned = exports.filter(({ id }) => id !== schedule.id).reverse()
      expect(spawned).toMatchObject(
        borders.slice(1).map((border) => ({
          status: 'Completed',
          source_bulk_export_id: schedule.id,
          start_time: timestamp(border - HOUR),
          end_time: timestamp(border),
          created_at: timestamp(border + DELAY),
        })),
      )

      // The expected ids of each file, by window and date.
      const expected = new Map<string, string[]>()
      for (const [index, { id }] of spawned.entries()) {
        const [from = 0, to = 0] = borders.slice(index, index + 2)
        const runs = await context.runs(id)
        const parts = [from, ...MIDNIGHTS.filter((midnight) => midnight > from && midnight < to), to]
        expect(runs).toHaveLength(parts.length - 1)
        for (const [part, run] of runs.entries()) {
          const [partStart = 0, partEnd = 0] = parts.slice(part, part + 2)
          const inside = records.filter(({ start_time }) => {
            const micros = parseMicros(start_time)
            return micros >= partStart * 1000 && micros < partEnd * 1000
          })
          const date = new Date(partStart)
          const key = [
            `traces/export_id=${id}/tenant_id=${TENANT}/session_id=${SESSION}/runs/year=${date.getUTCFullYear()}`,
            `month=${date.getUTCMonth() + 1}/day=${date.getUTCDate()}/${run.id}.parquet`,
          ].join('/')
          expected.set(
            key,
            inside.map((record) => record.id),
          )
          expect(run).toMatchObject({
            ...{ status: 'Completed', start_time: timestamp(partStart), end_time: timestamp(partEnd) },
            metadata: { result: { rows_written: inside.length, exported_files: [`${context.bucket.name}/${key}`] } },
          })
        }
      }
      expect(expected.size).toBe(WINDOWS + MIDNIGHTS.length)

      const files = await exportedFiles(context.bucket)
      expect(files.map(({ key, rows }) => [key, rows.map((row) => row['id'])])).toEqual(
        [...expected].toSorted(([left], [right]) => (left < right ? -1 : 1)),
      )
      // The files contain every run of the week once, and no other run.
      const within = records.filter(({ start_time: time }) => {
        const micros = parseMicros(time)
        return micros >= START * 1000 && micros < END * 1000
      })
      expect(files.flatMap(({ rows }) => rows.map((row) => String(row['id']))).sort()).toEqual(
        within.map(({ id }) => id).sort(),
      )
      expect(await context.bucket.keys()).toHaveLength(files.length)
    },
    120_000,
  )
})

function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00')
}
