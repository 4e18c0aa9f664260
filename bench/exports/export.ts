import { setTimeout } from 'node:timers/promises'
import { request } from 'undici'
import { z } from 'zod'
import { emptyBucket, makeBucket } from '../../fixtures/bucket/administer.ts'
import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import { bucketClient } from '../../fixtures/bucket/client.ts'
import type { Compression } from '../../mock-server/export/files/compression.ts'
import { type Contender, mock } from '../servers/contender.ts'
import { startServer } from '../servers/start.ts'
import { peakBytesOf } from '../usage.ts'
import { destinationIn, HEADERS } from './api.ts'
import { SESSION, WINDOW } from './records.ts'

/** What is exported, and where to. */
export interface Order {
  /** The folder of state in which the records lie. */
  readonly state: string
  readonly rows: number
  readonly store: BucketStore
  readonly compression: Compression
}

/** What an export came to. */
export interface Outcome {
  readonly perSecond: number
  /** The most memory that the server ever had resident, its start included; in bytes. */
  readonly peakBytes: number
}

const BUCKET = 'touchstone-bench'
const ASK_EVERY_MS = 20
const created = z.object({ id: z.string() })
const progress = z.object({ status: z.string() })
const runs = z.array(z.object({ metadata: z.object({ result: z.object({ rows_written: z.number() }) }) }))

/** Starts a server on a folder of state, has it export all records that lie there, and ends it. */
export async function exportAll({ state, rows, store, compression }: Order): Promise<Outcome> {
  const server = await startServer(onState(state))
  const client = bucketClient(store, 'root')
  try {
    await makeBucket(client, BUCKET).catch(() => emptyBucket(client, BUCKET))
    const api = `${server.url}/api/v1/bulk-exports`
    const destination = created.parse(await send(`${api}/destinations`, destinationIn(store, BUCKET)))
    const began = performance.now()
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
      await setTimeout(ASK_EVERY_MS)
      ;({ status } = progress.parse(await send(`${api}/${id}`)))
    }
    const seconds = (performance.now() - began) / 1000
    let written = 0
    for (const { metadata } of runs.parse(await send(`${api}/${id}/runs`))) written += metadata.result.rows_written
    if (status !== 'Completed' || written !== rows) throw new Error(`the export is ${status} with ${written} rows`)
    return { perSecond: rows / seconds, peakBytes: peakBytesOf(server.pid) }
  } finally {
    await server.stop()
    await emptyBucket(client, BUCKET)
    client.destroy()
  }
}

function onState(state: string): Contender {
  return {
    ...mock,
    prepare: async (port) => {
      const { command } = await mock.prepare(port)
      return { command: [...command, '--state', state] }
    },
  }
}

async function send(url: string, body?: object): Promise<unknown> {
  const answer = await request(url, {
    headers: HEADERS,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${text}`)
  return JSON.parse(text)
}
