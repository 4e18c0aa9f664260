import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import type { ExportContext } from './export-context.ts'
import { createRecords } from './seeds.ts'

/** Has more than 64 KiB, which some columns cannot contain. */
const longText = '漢字 and text '.repeat(6000)

/** Values that services often change when they write files. */
const awkwardValues: readonly Partial<TraceRecord>[] = [
  { end_time: null, status: 'pending', outputs: null, error: null, first_token_time: null },
  { name: `Ünï ${'名前'.repeat(120)} 👩‍👩‍👧 <b>&amp;</b> "x"` },
  { total_cost: 0, prompt_cost: 0, completion_cost: 0 },
  { name: '', total_cost: 0.000000375, prompt_cost: 0.00000015, completion_cost: 0.000000225 },
  // Columns of 32-bit integers are legal.
  { total_tokens: 2_000_000_001, prompt_tokens: 2_000_000_000, completion_tokens: 1 },
  { name: ' of\ufb01ce  cafe\u0301 ', total_tokens: 1000, prompt_tokens: 100, completion_tokens: 20 },
  {
    inputs: {
      'a.b c-d/é': 1,
      '': 'empty key',
      none: {},
      list: [],
      deep: [[[{ a: [{}] }]]],
      text: '',
      html: '<b>&</b>',
      texts: {
        lines: 'a\r\nb\tc\\ \u001b[1m',
        accent: 'cafe\u0301',
        digits: '007',
        date: '2026-01-31',
        time: '2026-01-31T08:00:00.5+02:00',
        json: '{"a": 1}',
        mail: 'someone@example.com',
        null: 'null',
      },
      names: { camelCase: 'a', snake_case: 'b', __x: 'c', ' two  spaces ': ' a  b ' },
      values: [null, false, 0, 1.23456789, 2 ** 53 - 1, [], {}],
    },
    outputs: {},
  },
  {
    status: 'error',
    error: 'RuntimeError: stopped <b>&</b>\n  at line 1',
    inputs: { numbers: [1e-9, 1.5e300, -0.25], many: Array.from({ length: 150 }, (_, index) => index) },
    outputs: {
      'a.b c-d/é': 1,
      partial: ['one'],
      html: '<b>&</b>',
      deep: { a: { b: { c: { d: { e: { f: { g: {} } } } } } } },
    },
    total_cost: 123.456789,
    prompt_cost: 100.25,
    completion_cost: 23.206789,
  },
  {
    inputs: { text: longText },
    outputs: {
      text: longText,
      items: Array.from({ length: 200 }, (_, index) => ({ index, text: `value ${index}` })),
    },
  },
]

/** How long the longest run takes, in milliseconds: some services show runs that take hours as unfinished. */
const longestMs = 2.5 * 3_600_000

/** Time between a border and the runs of a trace that crosses it, in milliseconds. */
const distanceMs = 5000

interface AwkwardOptions {
  readonly seed: string
  /** Time in which runs with awkward values start, in milliseconds since the Unix epoch. */
  readonly startMs: number
  readonly endMs: number
  /** Times that a trace crosses, in milliseconds since the Unix epoch. */
  readonly crossed: readonly number[]
}

/**
 * Generates runs with awkward values, a run that takes hours, runs with the same start, two of which differ only in their
 * ids, and traces of four levels that cross borders.
 */
export async function awkwardRuns(context: ExportContext, options: AwkwardOptions): Promise<readonly TraceRecord[]> {
  const roots = async (startMs: number, endMs: number, traces: number) => {
    const seed = `${options.seed} awkward ${startMs}`
    const records = await createRecords(context, { seed, startMs, endMs, traces })
    return records.filter(({ is_root }) => is_root)
  }
  const count = awkwardValues.length + 5
  const [first, second, child, twin, long, ...others] = await roots(options.startMs, options.endMs, count)
  const crossing = options.crossed.map(async (ms) => {
    const before = await roots(ms - 2 * distanceMs, ms - distanceMs, 1)
    return nested([...before, ...(await roots(ms + distanceMs, ms + 2 * distanceMs, 3))].toSorted(byStart))
  })
  return [
    ...(first && second && child && twin && long
      ? [
          { ...long, end_time: new Date(Date.parse(long.start_time) + longestMs).toISOString() },
          first,
          startedWith(first, second),
          childOf(first, startedWith(first, child)),
          childOf(first, startedWith(first, { ...child, id: twin.id })),
        ]
      : []),
    ...others.map((run, index) => ({ ...run, ...awkwardValues[index] })),
    ...(await Promise.all(crossing)).flat(),
  ]
}

/** Changes a run so that it starts at the same time as another one and ends at once. */
function startedWith({ start_time, dotted_order, id }: TraceRecord, run: TraceRecord): TraceRecord {
  return { ...run, start_time, end_time: start_time, dotted_order: dotted_order.replace(id, run.id) }
}

const byStart = (a: TraceRecord, b: TraceRecord) => Date.parse(a.start_time) - Date.parse(b.start_time)

/** Makes each run a child of the one before it. */
function nested(runs: readonly TraceRecord[]): readonly TraceRecord[] {
  const all: TraceRecord[] = []
  for (const run of runs) {
    const parent = all.at(-1)
    all.push(parent ? childOf(parent, run) : run)
  }
  return all
}

function childOf(parent: TraceRecord, run: TraceRecord): TraceRecord {
  return {
    ...run,
    trace_id: parent.trace_id,
    parent_run_id: parent.id,
    parent_run_ids: [...parent.parent_run_ids, parent.id],
    is_root: false,
    dotted_order: `${parent.dotted_order}.${run.dotted_order}`,
  }
}
