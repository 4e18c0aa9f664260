import { setTimeout } from 'node:timers/promises'
import { request } from 'undici'
import { z } from 'zod'
import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import { bucketClient, emptyBucket, makeBucket } from '../../fixtures/bucket/client.ts'
import type { Compression } from '../../mock-server/export/files/compression.ts'
import { type BenchServer, mock } from '../servers/bench-server.ts'
import { startServer } from '../servers/start.ts'
import { peakBytesOf } from '../usage.ts'
import { destinationBody, HEADERS } from './api.ts'
import { SESSION, WINDOW } from './records.ts'

/** Settings of an export. */
export interface ExportSettings {
  /** State folder of the server, with the records. */
  readonly state: string
  readonly rows: number
  readonly store: BucketStore
  readonly compression: Compression
}

/** The measurements of an export. */
export interface ExportResult {
  readonly perSecond: number
  /** Peak resident memory of the server since its start, in bytes. */
  readonly peakBytes: number
}

const BUCKET = 'touchstone-bench'
const POLL_MS = 20
const created = z.object({ id: z.string() })
const progress = z.object({ status: z.string() })
const runs = z.array(z.object({ metadata: z.object({ result: z.object({ rows_written: z.number() }) }) }))

/** Starts a server on a state folder, exports all its records and stops the server. */
export async function exportAll({ state, rows, store, compression }: ExportSettings): Promise<ExportResult> {
  const server = await startServer(mockWithState(state))
  const client = bucketClient(store, 'root')
  try {
    await makeBucket(client, BUCKET).catch(() => emptyBucket(client, BUCKET))
    const api = `${server.url}/api/v1/bulk-exports`
    const destination = created.parse(await send(`${api}/destinations`, destinationBody(store, BUCKET)))
    const started = performance.now()
    const { id } = created.parse(
      await send(api, {
        bulk_export_destination_id: destination.id,
        session_id: SESSION,
        start_time: new Date(WINDOW.startMs).toISOString(),
        end_time: new Date(WINDOW.endMs).toISOString(),
        compression,
      }),
    )
    let { status } = progress.parse(await send(`${api}/${id}`))
    while (status === 'Created' || status === 'Running') {
      await setTimeout(POLL_MS)
      ;({ status } = progress.parse(await send(`${api}/${id}`)))
    }
    const seconds = (performance.now() - started) / 1000
    let written = 0
    for (const { metadata } of runs.parse(await send(`${api}/${id}/runs`))) written += metadata.result.rows_written
    if (status !== 'Completed' || written !== rows)
      throw new Error(`expected a Completed export of ${rows} rows, received ${status} with ${written} rows`)
    return { perSecond: rows / seconds, peakBytes: peakBytesOf(server.pid) }
  } finally {
    await server.stop()
    await emptyBucket(client, BUCKET)
    client.destroy()
  }
}

function mockWithState(state: string): BenchServer {
  return {
    ...mock,
    prepare: async (port) => {
      const { command } = await mock.prepare(port)
      return { command: [...command, '--state', state] }
    },
  }
}

async function send(url: string, body?: object): Promise<unknown> {
  const response = await request(url, {
    headers: HEADERS,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.body.text()
  if (response.statusCode !== 200)
    throw new Error(`${url}: expected status 200, received ${response.statusCode}: ${text}`)
  return JSON.parse(text)
}
