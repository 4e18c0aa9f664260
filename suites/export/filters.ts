import type { TraceRecord } from '../../fixtures/traces/record.ts'
import { answerShape } from '../harness/answer-shape.ts'
import type { Check } from '../harness/check.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { rowsIn } from '../harness/export/exported-files.ts'
import { identifier } from '../harness/export/identify.ts'
import { play } from '../harness/export/played.ts'
import { iso, tenantOf } from '../harness/export/seeded.ts'
import { show } from '../harness/json.ts'
import { openFilters } from '../requirements/export/filter.ts'
import type { RequirementId } from '../requirements/generated/ids.ts'
import { oneOff, send } from './create.ts'

const startMs = Date.UTC(2023, 4, 5)

/** Records that filters tell apart; nothing else lies on their date. */
function candidates(tenant_id: string, session_id: string): readonly TraceRecord[] {
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
    const id = crypto.randomUUID()
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

interface Case {
  readonly row: RequirementId
  readonly filter: string
  readonly passes: (record: TraceRecord) => boolean
}

/** What each filter means, told by rules of our own. */
export const filterCases: readonly Case[] = [
  { row: 'export.filter.eq.run_type', filter: 'eq(run_type, "llm")', passes: ({ run_type }) => run_type === 'llm' },
  { row: 'export.filter.eq.name', filter: 'eq(name, "Alpha")', passes: ({ name }) => name === 'Alpha' },
  { row: 'export.filter.eq.input_key', filter: 'eq(input_key, "city")', passes: ({ inputs }) => 'city' in inputs },
  {
    row: 'export.filter.eq.input_value',
    filter: 'and(eq(input_key, "city"), eq(input_value, "Paris"))',
    passes: ({ inputs }) => inputs['city'] === 'Paris',
  },
  { row: 'export.filter.like.prefix', filter: 'like(name, "Alpha%")', passes: ({ name }) => name.startsWith('Alpha') },
  { row: 'export.filter.like.suffix', filter: 'like(name, "%search")', passes: ({ name }) => name.endsWith('search') },
  { row: 'export.filter.like.infix', filter: 'like(name, "%search%")', passes: ({ name }) => name.includes('search') },
  {
    row: 'export.filter.like.input_value',
    filter: 'and(eq(input_key, "city"), like(input_value, "Paris%"))',
    passes: ({ inputs }) => String(inputs['city'] ?? '').startsWith('Paris'),
  },
  {
    row: 'export.filter.and',
    filter: 'and(eq(run_type, "llm"), like(name, "Alpha%"))',
    passes: ({ run_type, name }) => run_type === 'llm' && name.startsWith('Alpha'),
  },
  {
    row: 'export.filter.and.nested',
    filter: 'and(eq(run_type, "tool"), and(like(name, "%search%"), like(name, "Beta%")))',
    passes: ({ run_type, name }) => run_type === 'tool' && name.includes('search') && name.startsWith('Beta'),
  },
]

function seededCandidates({ session, driver, declared }: ExportContext): Promise<readonly TraceRecord[]> {
  return session.once('records for filters', async () => {
    const records = candidates(tenantOf({ session }), declared.session)
    await driver.seedRuns(records)
    return records
  })
}

const judged = filterCases.map(({ row, filter, passes }) =>
  exportCheck(row, `the filter ${filter}`, async (context) => {
    const records = await seededCandidates(context)
    const order = { start_time: iso(startMs), end_time: iso(startMs + 86_400_000), filter }
    const { files } = await play(context, order)
    const known = identifier(records)
    const exported = new Set(rowsIn(files).flatMap((row) => known(row)?.name ?? []))
    const names = (list: readonly TraceRecord[]) => list.map(({ name }) => name).sort()
    const [wanted, found] = [names(records.filter(passes)), [...exported].sort()]
    context.verify(show(found) === show(wanted), `the runs that ${filter} exports`, show(wanted), show(found))
  }),
)

const accepted = exportCheck('export.filter.accepted', 'a filter is accepted', async (context) => {
  const { filter: _, ...valid } = await oneOff(context)
  await context.exports.create({ ...valid, filter: 'and(eq(run_type, "llm"), like(name, "a%"))' } as never)
})

const open = exportCheck(
  Object.keys(openFilters).map((key) => `export.filter.open.${key}` as RequirementId),
  'filters of which the document says nothing',
  async (context) => {
    const valid = await oneOff(context)
    for (const [key, filter] of Object.entries(openFilters)) {
      const answer = await send(context, { ...valid, filter })
      context.observe(`export.filter.open.${key}` as RequirementId, answer.ok ? 'accepted' : answerShape(answer))
    }
  },
)

export const filterChecks: readonly Check[] = [accepted, ...judged, open]
