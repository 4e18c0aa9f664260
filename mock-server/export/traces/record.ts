/** A value of JSON. */
type Json = string | number | boolean | null | readonly Json[] | JsonObject

/** An object of JSON. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Kind of a run in a trace. */
export type RunType = 'tool' | 'chain' | 'llm' | 'retriever' | 'embedding' | 'prompt' | 'parser'

/** Summary of the feedback that a run received under one key. */
export interface FeedbackStats {
  /** Number of feedback entries. */
  readonly n: number
  /** Mean score; null if the feedback has no scores. */
  readonly avg: number | null
  /** Number of entries by text value. */
  readonly values?: Readonly<Record<string, number>>
}

/**
 * A run of a trace, with every field that an export can contain.
 *
 * Ids are UUIDs, times are ISO 8601 in UTC with up to six fractional digits, costs are in US dollars.
 *
 * @example
 * await mock.seedRuns([{ ...record, name: 'ChatAgent', start_time: '2026-01-01T12:00:00.000000Z' }])
 */
export interface TraceRecord {
  readonly id: string
  /** Workspace of the run: exports read the runs of the workspace of their API key. */
  readonly tenant_id: string
  /** Tracing project of the run: an export reads the runs of one project. */
  readonly session_id: string
  /** Id of the root run of the trace. */
  readonly trace_id: string
  /** Null for a root run. */
  readonly parent_run_id: string | null
  /** Ids from the root run to the parent; empty for a root run. */
  readonly parent_run_ids: readonly string[]
  readonly reference_example_id: string | null
  readonly name: string
  readonly run_type: RunType
  readonly start_time: string
  /** Null while the run is in progress. */
  readonly end_time: string | null
  /** `success`, `error`, `pending` or any other text. */
  readonly status: string
  readonly is_root: boolean
  /** `YYYYMMDDTHHMMSSffffffZ<id>` of each run from the root to this one, joined by dots. */
  readonly dotted_order: string
  readonly trace_tier: 'longlived' | 'shortlived' | null
  readonly inputs: JsonObject
  readonly outputs: JsonObject | null
  readonly error: string | null
  /** Filters on `metadata_key` and `metadata_value` read `extra.metadata`. */
  readonly extra: JsonObject | null
  readonly events: readonly JsonObject[]
  readonly tags: readonly string[]
  /** Feedback summaries by feedback key. */
  readonly feedback_stats: Readonly<Record<string, FeedbackStats>> | null
  readonly total_tokens: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_cost: number | null
  readonly prompt_cost: number | null
  readonly completion_cost: number | null
  readonly first_token_time: string | null
}
