import { seededRandom } from '../../fixtures/traces/random.ts'
import type { TraceRecord } from '../../fixtures/traces/record.ts'
import { openFilters } from '../catalog/export/filter.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { answerShape } from '../harness/answer-shape.ts'
import { type Check, scenario } from '../harness/check.ts'
import { Inconclusive } from '../harness/errors.ts'
import { type Days, ownDays } from '../harness/export/days.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import type { Expression } from '../harness/export/expression.ts'
import type { KnownRun } from '../harness/export/known-run.ts'
import { baseRuns } from '../harness/export/known-runs.ts'
import { material, unlockedBy } from '../harness/export/material.ts'
import { iso } from '../harness/export/moments.ts'
import { play } from '../harness/export/play.ts'
import { untilReadable } from '../harness/export/readable.ts'
import { isInside } from '../harness/export/seeded.ts'
import { bestOf } from '../harness/export/suggest.ts'
import { tenantOf } from '../harness/export/tenant.ts'
import { oneOff, send } from './create.ts'
import { type FilterCase, filterCases } from './filter-cases.ts'

const day = 86_400_000

/** Records that filters tell apart; nothing else lies on their date. */
function candidates(
  { seed }: Days,
  { tenant_id, session_id, startMs }: Pick<TraceRecord, 'tenant_id' | 'session_id'> & { readonly startMs: number },
): readonly TraceRecord[] {
  const kinds: readonly [name: string, run_type: TraceRecord['run_type'], inputs: TraceRecord['inputs']][] = [
    ['Alpha search', 'llm', { city: 'Paris' }],
    ['Alpha', 'tool', { city: 'Paris Nord' }],
    ['Beta search', 'llm', { city: 'Rome', note: 'plain' }],
    ['Beta search tool', 'tool', { question: 'where' }],
    ['search', 'chain', { question: 'Paris' }],
    ['Gamma', 'chain', { city: 'Oslo' }],
    ['Not Alpha', 'llm', {}],
    ['Alphabet', 'retriever', { city: 'New Paris' }],
  ]
  return kinds.map(([name, run_type, inputs], index) => {
    const id = seededRandom(`${seed} filters`, index).uuid()
    const start_time = iso(startMs + (index + 1) * 3_600_000)
    const stamp = start_time.replaceAll(/[-:.]/g, '').replace('Z', '000Z')
    return {
      id,
      tenant_id,
      session_id,
      trace_id: id,
      parent_run_id: null,
      parent_run_ids: [],
      reference_example_id: null,
      name,
      run_type,
      start_time,
      end_time: iso(startMs + (index + 1) * 3_600_000 + 1000),
      status: 'success',
      is_root: true,
      dotted_order: `${stamp}${id}`,
      trace_tier: null,
      inputs,
      outputs: { text: 'done' },
      error: null,
      extra: null,
      events: [],
      tags: [],
      feedback_stats: null,
      total_tokens: index,
      prompt_tokens: index,
      completion_tokens: 0,
      total_cost: null,
      prompt_cost: null,
      completion_cost: null,
      first_token_time: null,
    }
  })
}

/** Runs that filters tell apart, and the window in which they are. */
interface Field {
  readonly startMs: number
  readonly endMs: number
  readonly runs: readonly KnownRun[]
  /** The filter to be judged by them; throws Inconclusive where they suggest none. */
  filterOf(one: FilterCase): Expression
}

/** Runs that the driver seeds for filters alone; without a driver those of the project. */
function field(context: ExportContext): Promise<Field> {
  const { session, driver, declared } = context
  return session.once('runs for filters', async () => {
    const { seeded, startMs: from, endMs: to } = await material(context)
    if (seeded) {
      const days = await ownDays(context)
      const window = { startMs: days.monthMs - 6 * day, endMs: days.monthMs - 5 * day }
      const of = { tenant_id: tenantOf(context), session_id: declared.session, startMs: window.startMs }
      const runs = candidates(days, of)
      await driver.seedRuns(runs)
      await untilReadable(context, runs, window)
      return { ...window, runs, filterOf: (one) => one.seeded }
    }
    const runs = await baseRuns(context)
    return {
      startMs: from,
      endMs: to,
      runs: runs.filter((run) => isInside(run, { startMs: from, endMs: to, slackMs: 1000 })),
      filterOf({ row, suggested }) {
        const found = bestOf(suggested(runs), runs)
        if (found) return found
        throw new Inconclusive(
          `no filter for ${row} selects some but not all runs of the project`,
          unlockedBy(session, 'a time with runs of several types, names and inputs'),
        )
      },
    }
  })
}

const judged = filterCases.map((one) =>
  scenario<ExportContext>([one.row], `filters with ${one.seeded.text}`, async (context) => {
    const { filterOf, startMs, endMs } = await field(context)
    const order = { start_time: iso(startMs), end_time: iso(endMs), filter: filterOf(one).text, row: one.row }
    await play(context, order)
  }),
)

const accepted = scenario<ExportContext>(['export.filter.accepted'], 'accepts a filter', async (context) => {
  await context.exports.create({
    ...(await oneOff(context)),
    filter: 'and(eq(run_type, "llm"), like(name, "a%"))',
  } as never)
})

const open = exportCheck(
  Object.keys(openFilters).map((key) => `export.filter.open.${key}` as RequirementId),
  'observes undocumented filters',
  async (context) => {
    const valid = await oneOff(context)
    for (const [key, filter] of Object.entries(openFilters)) {
      const answer = await send(context, { ...valid, filter })
      context.observe(`export.filter.open.${key}` as RequirementId, answer.ok ? 'accepted' : answerShape(answer))
    }
  },
)

export const filterChecks: readonly Check[] = [accepted, ...judged, open]
