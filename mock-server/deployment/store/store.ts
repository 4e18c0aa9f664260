import { only, type Page, takePage } from '../../http/page.ts'
import type { Cron } from '../crons/crons.ts'
import type { Assistant, Run, Thread } from '../records.ts'
import type { Item } from './items.ts'
import { Ordered } from './ordered.ts'

/** The state of a deployment. */
export interface Store {
  readonly threads: Ordered<Thread>
  readonly assistants: Ordered<Assistant>
  readonly items: Ordered<Item>
  readonly crons: Ordered<Cron>
}

/** Creates a store with these assistants. */
export function createStore(assistants: readonly Assistant[]): Store {
  return {
    threads: new Ordered(),
    assistants: new Ordered(assistants.map((assistant) => [assistant.assistant_id, assistant])),
    items: new Ordered(),
    crons: new Ordered(),
  }
}

/** Returns an independent copy. Immutable parts are shared. */
export function copyStore({ threads, assistants, items, crons }: Store): Store {
  return {
    threads: new Ordered([...threads.values()].map((thread) => [thread.thread_id, copyThread(thread)])),
    assistants: new Ordered([...assistants.values()].map((assistant) => [assistant.assistant_id, assistant])),
    items: new Ordered([...items.entries()].map(([id, item]) => [id, { ...item }])),
    crons: new Ordered([...crons.entries()].map(([id, cron]) => [id, { ...cron }])),
  }
}

function copyThread(thread: Thread): Thread {
  const runs = [...thread.runs.values()].map((run): [string, Run] => [run.run_id, { ...run }])
  return { ...thread, runs: new Ordered(runs), checkpoints: [...thread.checkpoints] }
}

/** Returns a page of the wanted runs of a thread, newest first. */
export type ListRuns = (runs: Ordered<Run>, isWanted: (run: Run) => boolean, page: Page) => Run[]

export const listRuns: ListRuns = (runs, isWanted, page) => takePage(only(runs.newestFirst(), isWanted), page)
