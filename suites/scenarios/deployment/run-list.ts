import type { RunContext } from '../../harness/context.ts'
import type { ApiResponse } from '../../harness/http.ts'
import { poll } from '../../harness/waiting.ts'
import { at, listAt } from '../../values/json.ts'
import { isExecuting } from '../../values/run-status.ts'
import { settlingMs } from '../../values/settling-time.ts'

/** Lists the runs of a thread as the specification shows it: without page parameters. */
export async function list({ deployment }: RunContext, threadId: string): Promise<readonly unknown[]> {
  const path = `/threads/${threadId}/runs`
  return listAt((await deployment.http.send({ method: 'GET', path })).json)
}

/**
 * Lists the runs of a thread, again for `settlingMs` while there are fewer than `count` or one executes: lists may show new runs
 * and the ends of runs a little later.
 */
export async function listAll(context: RunContext, threadId: string, count: number): Promise<void> {
  const isComplete = async () => {
    const runs = await list(context, threadId)
    if (runs.length >= count) return !runs.some(isExecuting) || undefined
    // If runs are missing, the list may be only the first page.
    const page = await context.deployment.listLongPage(threadId)
    return (await hasPages(context, threadId, count, page)) || undefined
  }
  await poll(context.session, isComplete, { budgetMs: () => settlingMs })
}

/** Whether a page and those after it have `count` runs. A page may have fewer runs than requested. */
async function hasPages({ deployment }: RunContext, threadId: string, count: number, first: ApiResponse) {
  const ids = new Set<unknown>()
  for (let page = first; ; ) {
    const known = ids.size
    for (const run of listAt(page.json)) ids.add(at(run, 'run_id'))
    if (ids.size >= count || ids.size === known) return ids.size >= count
    page = await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs?offset=${ids.size}` })
  }
}
