import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileFilter } from '../../../mock-server/export/filter/compile.ts'
import { parseFilter } from '../../../mock-server/export/filter/parse.ts'
import { filterTrees } from '../../fixtures/arbitrary-filters.ts'
import { filterValues, traceRecords } from '../../fixtures/arbitrary-traces.ts'
import { isTrueOf } from '../../fixtures/filter-model.ts'
import { tries } from '../../fixtures/long.ts'
import { printFilter } from '../../fixtures/print-filter.ts'

const range = { startMs: Date.UTC(2028, 1, 29), endMs: Date.UTC(2028, 1, 29) + 2 }
const records = traceRecords(range, ['t'], ['s'])

test('any filter selects the same records as the model', () => {
  const tally = { found: 0, left: 0 }
  fc.assert(
    fc.property(filterTrees(filterValues(range)), records, (tree, all) => {
      const text = printFilter(tree)
      const passes = compileFilter(parseFilter(text))
      for (const record of all) {
        const wanted = isTrueOf(tree, record)
        tally[wanted ? 'found' : 'left']++
        expect(passes(record), text).toBe(wanted)
      }
    }),
    { numRuns: tries(300, 100_000) },
  )
  // Filters that match all records or none would prove little.
  expect(Math.min(tally.found, tally.left)).toBeGreaterThan((tally.found + tally.left) / 20)
}, 700_000)
