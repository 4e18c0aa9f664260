import { compileFilter } from '../../mock-server/export/filter/compile.ts'
import { parseFilter } from '../../mock-server/export/filter/parse.ts'
import { records } from '../exports/records.ts'
import { interleaved, type Measure } from '../measure.ts'
import { goal, type Samples } from '../samples.ts'

const FILTERS = [
  { name: 'filter.eq', text: 'eq(run_type, "llm")', simple: true },
  { name: 'filter.and-like', text: 'and(eq(run_type, "llm"), like(name, "Chat%"))', simple: true },
  { name: 'filter.time', text: 'gte(start_time, "2026-01-02T00:00:00Z")', simple: true },
  { name: 'filter.metadata', text: 'and(eq(metadata_key, "time_zone"), eq(metadata_value, "UTC"))', simple: false },
  { name: 'filter.input', text: 'and(eq(input_key, "question"), like(input_value, "%order%"))', simple: false },
] as const

/** Speed of export filters. */
export const filter: Measure = {
  name: 'filter',
  explanation: `Records per second that a compiled filter tests: ${FILTERS.map(({ name, text }) => `${name} is \`${text}\``).join('; ')}.`,
  run: async ({ quick }) => {
    const rows = [...records(quick ? 1_000 : 20_000)].flat()
    const rounds = await interleaved(FILTERS, quick ? 1 : 7, async ({ text }) => {
      const test = compileFilter(parseFilter(text))
      let [tested, matches] = [0, 0]
      const started = performance.now()
      do {
        for (const record of rows) if (test(record)) matches++
        tested += rows.length
      } while (performance.now() - started < (quick ? 10 : 200))
      const perSecond = (tested / (performance.now() - started)) * 1000
      // Using the number of matches keeps the loop from being optimized away.
      return matches <= tested ? perSecond : Number.NaN
    })
    return FILTERS.map(
      ({ name, simple }): Samples => ({
        name,
        unit: 'rows/s',
        values: rounds.get(name) ?? [],
        ...(simple && { goal: goal('value', '>=', 1_000_000) }),
      }),
    )
  },
}
