import type { Store } from '../../deployment/store/store.ts'
import type { ExportStore } from '../../export/store/store.ts'
import type { JsonObject } from '../../http/fields.ts'
import { type Page, takePage } from '../../http/page.ts'
import { describeExport, type ExportDetail } from './exports.ts'
import { describeThread, summarizeThread, type ThreadDetail, type ThreadSummary } from './threads.ts'

/** What a server has stored, of all users. Secrets are removed as in the journal. Reading it changes nothing. */
export interface Inspection {
  /** Returns a page of the threads, newest first, and the number of all. */
  threads(page?: Page): ThreadPage
  /** Returns a thread with its messages and runs; undefined for an unknown one. */
  thread(id: string): ThreadDetail | undefined
  /** Returns the assistants in their active versions, newest first. */
  assistants(): readonly AssistantDetail[]
  /** Returns the newest 200 exports with their runs and files, newest first. */
  exports(): readonly ExportDetail[]
}

/** A part of a list of threads. */
export interface ThreadPage {
  readonly threads: readonly ThreadSummary[]
  readonly total: number
}

/** An assistant in its active version. Times are milliseconds since the Unix epoch. */
export interface AssistantDetail {
  readonly assistant_id: string
  readonly graph_id: string
  readonly name: string
  readonly description: string | null
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
  readonly config: JsonObject
  readonly context: JsonObject
  readonly metadata: JsonObject
}

/** The stores of a server. */
interface Stores {
  readonly deployment: () => Store
  /** Undefined until the first request to the export API. */
  readonly exports: () => ExportStore | undefined
  /** Removes secrets from a JSON value. */
  readonly redact: (value: unknown) => unknown
}

const NEWEST = { limit: 200, offset: 0 }

/** Creates the inspection of a server's stores. */
export function inspectStores({ deployment, exports, redact }: Stores): Inspection {
  const clean = <T>(value: T): T => redact(value) as T
  return {
    threads: (page = NEWEST) => {
      const { threads } = deployment()
      return clean({ threads: takePage(threads.newestFirst(), page).map(summarizeThread), total: threads.size })
    },
    thread: (id) => {
      const thread = deployment().threads.get(id)
      return thread && clean(describeThread(thread))
    },
    assistants: () =>
      [...deployment().assistants.newestFirst()].map(({ versions: _, ...assistant }) => clean(assistant)),
    exports: () => {
      const store = exports()
      if (store === undefined) return []
      return takePage(store.exports.newestFirst(), NEWEST).map((bulkExport) => clean(describeExport(store, bulkExport)))
    },
  }
}
