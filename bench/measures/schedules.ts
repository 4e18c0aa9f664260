import { bucketClient, makeBucket } from '../../fixtures/bucket/client.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { destinationBody, HEADERS } from '../exports/api.ts'
import { SESSION, WINDOW } from '../exports/records.ts'
import type { Measure } from '../measure.ts'
import { goal } from '../samples.ts'

const DAY = 86_400_000
const WEEK_HOURS = 168

/** Speed of scheduled exports. */
export const schedules: Measure = {
  name: 'schedules',
  explanation:
    'Time to advance the clock of a mock server by a year, until all 26 000 exports of its 500 weekly schedules have been created and have completed. There are no records, so that only the schedules are measured. The mock server runs in the process of the benchmark.',
  run: async ({ quick }) => {
    const values: number[] = []
    for (let round = 0; round < (quick ? 1 : 3); round++) values.push(await exportYear(quick ? 10 : 500))
    return [{ name: 'schedules.year', unit: 's', values, goal: goal('value', '<=', 5) }]
  },
}

async function exportYear(count: number): Promise<number> {
  const { store, close } = await openBucketStore('embedded')
  const client = bucketClient(store, 'root')
  const clock = manualClock(WINDOW.startMs)
  const mock = createMockServer({ clock })
  const api = async (path: string, body?: object): Promise<unknown> => {
    const url = `http://mock/api/v1/bulk-exports${path}`
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const response = await mock.fetch(new Request(url, { ...init, headers: HEADERS }))
    if (!response.ok)
      throw new Error(`${path}: expected a 2xx status, received ${response.status}: ${await response.text()}`)
    return response.json()
  }
  try {
    await makeBucket(client, 'schedules')
    const destination = (await api('/destinations', destinationBody(store, 'schedules'))) as { id: string }
    const schedule = {
      bulk_export_destination_id: destination.id,
      session_id: SESSION,
      start_time: new Date(WINDOW.startMs).toISOString(),
      interval_hours: WEEK_HOURS,
    }
    for (let created = 0; created < count; created++) await api('', schedule)
    const started = performance.now()
    await clock.advance(365 * DAY)
    const seconds = (performance.now() - started) / 1000
    const all = (await api('')) as readonly { status: string }[]
    const ended = all.filter(({ status }) => status === 'Completed').length
    if (ended !== count * 52) throw new Error(`expected ${count * 52} completed exports, received ${ended}`)
    return seconds
  } finally {
    await mock.close()
    client.destroy()
    await close()
  }
}
