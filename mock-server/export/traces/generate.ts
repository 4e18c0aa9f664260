import { v4 } from 'uuid'
import { seededRandom } from '../../runtime/random.ts'
import { formatMicros } from './micros.ts'
import type { TraceRecord } from './record.ts'
import type { TraceRange } from './store.ts'

const BATCH_SIZE = 200
const DURATION_MICROS = 2_000_000

/**
 * Generates `count` runs of a range, spread evenly and ordered by start time, in batches. Every trace is a chain that
 * calls a model once. The same seed generates the same runs.
 */
export function* generateRuns(
  count: number,
  { seed, tenantId, sessionId, startMs, endMs }: TraceRange & { readonly seed: string },
): Generator<readonly TraceRecord[]> {
  const random = seededRandom(seed)
  const uuid = (): string =>
    v4({ random: new Uint8Array(Uint32Array.from({ length: 4 }, () => random() * 2 ** 32).buffer) })
  const traceMicros = ((endMs - startMs) * 1000) / Math.ceil(count / 2)
  let root: TraceRecord | undefined

  const generate = (index: number): TraceRecord => {
    const parent = index % 2 === 0 ? undefined : root
    const id = uuid()
    const childDelay = parent ? Math.min(1000, traceMicros / 2) : 0
    const startMicros = startMs * 1000 + Math.floor(Math.floor(index / 2) * traceMicros + childDelay)
    const failed = random() < 0.04
    const question = `Question ${index + 1}: where is order ${id.slice(0, 8)}, and when will it arrive at my address?`
    const answer = `Order ${id.slice(0, 8)} left the warehouse on time. It arrives within two days; no signature is needed.`
    const order = `${formatMicros(startMicros).replaceAll(/[-:.]/g, '')}${id}`
    const [prompt_tokens, completion_tokens] = parent ? [40, 25] : [0, 0]
    const record: TraceRecord = {
      id,
      tenant_id: tenantId,
      session_id: sessionId,
      trace_id: parent?.id ?? id,
      parent_run_id: parent?.id ?? null,
      parent_run_ids: parent ? [parent.id] : [],
      reference_example_id: null,
      name: parent ? 'ChatModel' : 'agent',
      run_type: parent ? 'llm' : 'chain',
      start_time: formatMicros(startMicros),
      end_time: formatMicros(startMicros + DURATION_MICROS),
      status: failed ? 'error' : 'success',
      is_root: parent === undefined,
      dotted_order: parent ? `${parent.dotted_order}.${order}` : order,
      trace_tier: 'shortlived',
      inputs: { messages: [{ role: 'user', content: question }] },
      outputs: failed ? null : { messages: [{ role: 'assistant', content: answer }] },
      error: failed ? 'TimeoutError: no response within 30 seconds' : null,
      extra: { metadata: { environment: 'production', revision: index % 10 } },
      events: [],
      tags: ['generated'],
      feedback_stats: null,
      total_tokens: prompt_tokens + completion_tokens,
      prompt_tokens,
      completion_tokens,
      total_cost: null,
      prompt_cost: null,
      completion_cost: null,
      first_token_time: null,
    }
    if (parent === undefined) root = record
    return record
  }

  for (let first = 0; first < count; first += BATCH_SIZE) {
    yield Array.from({ length: Math.min(BATCH_SIZE, count - first) }, (_, offset) => generate(first + offset))
  }
}
