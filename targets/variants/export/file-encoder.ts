import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import type { Column } from '../../../mock-server/export/files/columns.ts'
import { defaultExportPolicies, type ExportPolicies } from '../../../mock-server/export/policies.ts'

/** Encodes the rows of a partition as one or more Parquet files. */
export type Encode = (columns: readonly Column[], rows: readonly TraceRecord[]) => Promise<readonly Uint8Array[]>

/** How a service writes what it exports. */
interface FileEncoder {
  readonly encode: Encode
  /** Returns the key of the n-th file of a partition, counted from 0; `usual` is the key of a single file. */
  readonly keyOf?: (usual: string, n: number) => string
  /** Returns further objects next to the files of a partition, by key. */
  readonly further?: (usual: string) => Readonly<Record<string, Uint8Array>>
}

// The bytes where one file ends and the next one starts.
const boundary = Buffer.from('PAR1PAR1')

/** Returns the policies of an export API that writes its files with this encoder. */
export function fileEncoderPolicies({
  encode,
  keyOf = (usual, n) => usual.replace('.parquet', `-${n}.parquet`),
  further = () => ({}),
}: FileEncoder): Partial<ExportPolicies> {
  return {
    writeFile: async ({ columns }, rows, sink) => {
      const all: TraceRecord[] = []
      for await (const batch of rows) all.push(...batch)
      for (const file of await encode(columns, all)) await sink.write(file)
      return { rows: all.length }
    },
    // The server writes one file per partition. It is split here, on its way to the bucket.
    openBucket: async (access) => {
      const bucket = await defaultExportPolicies.openBucket(access)
      return {
        ...bucket,
        put: async (key, bytes, signal) => {
          const files = key.endsWith('.parquet') ? splitFiles(bytes) : []
          if (files.length === 0) return bucket.put(key, bytes, signal)
          for (const [n, file] of files.entries()) await bucket.put(keyOf(key, n), file, signal)
          for (const [each, content] of Object.entries(further(key))) await bucket.put(each, content, signal)
        },
      }
    },
  }
}

function splitFiles(bytes: Uint8Array): readonly Uint8Array[] {
  const files: Uint8Array[] = []
  let rest = Buffer.from(bytes)
  for (let at = rest.indexOf(boundary); at >= 0; at = rest.indexOf(boundary)) {
    files.push(rest.subarray(0, at + 4))
    rest = rest.subarray(at + 4)
  }
  return [...files, rest]
}
