import { only, type Page, takePage } from '../../http/page.ts'
import type { Run } from '../records.ts'
import type { Ordered } from './ordered.ts'

/** Returns a page of the wanted runs of a thread, newest first. */
export type ListRuns = (runs: Ordered<Run>, isWanted: (run: Run) => boolean, page: Page) => Run[]

export const listRuns: ListRuns = (runs, isWanted, page) => takePage(only(runs.newestFirst(), isWanted), page)
