import { open } from 'node:fs/promises'
import { COLUMNS } from '../../mock-server/export/files/columns.ts'
import type { Compression } from '../../mock-server/export/files/compression.ts'
import { writeFile } from '../../mock-server/export/files/write.ts'
import type { TraceRecord } from '../../mock-server/export/traces/record.ts'

/** Writes records into a file as the mock server does; resolves with the seconds that it took. */
export async function writeSeconds(
  path: string,
  compression: Compression,
  batches: Iterable<readonly TraceRecord[]>,
): Promise<number> {
  const file = await open(path, 'w')
  try {
    const began = performance.now()
    await writeFile({ columns: COLUMNS, compression }, inTurn(batches), {
      write: async (bytes) => void (await file.write(bytes)),
    })
    return (performance.now() - began) / 1000
  } finally {
    await file.close()
  }
}

async function* inTurn(batches: Iterable<readonly TraceRecord[]>): AsyncIterable<readonly TraceRecord[]> {
  yield* batches
}
