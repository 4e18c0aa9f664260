import { only, type Page } from '../../http/page.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../records.ts'
import type { Ordered } from './ordered.ts'

/** A page of a thread's runs: those that are wanted, in the order in which lists show them. */
export type ListRuns = (
  runs: Ordered<Run>,
  isWanted: (run: Run) => boolean,
  page: Page,
  parts: Pick<Parts, 'listOrder' | 'takePage'>,
) => Run[]

export const listRuns: ListRuns = (runs, isWanted, page, { listOrder, takePage }) =>
  takePage(only(listOrder(runs), isWanted), page)
