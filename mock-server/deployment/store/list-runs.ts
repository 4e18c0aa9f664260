import { only, type Page, takePage } from '../../http/page.ts'
import type { Run } from '../records.ts'
import type { Ordered } from './ordered.ts'

/** A page of a thread's runs: those that are wanted, in the order in which lists show them. */
export type ListRuns = (runs: Ordered<Run>, isWanted: (run: Run) => boolean, page: Page) => Run[]

export const listRuns: ListRuns = (runs, isWanted, page) => takePage(only(runs.newestFirst(), isWanted), page)
