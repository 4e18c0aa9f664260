/** Values in responses that the specification does not show, so that nothing can be wrong about them. */
interface Unspecified {
  /** Matches `OPERATION · PATH` or `OPERATION · EVENT · PATH`. */
  readonly places: RegExp
  readonly reason: string
}

const exportRecord = '(POST /api/v1/bulk-exports|(GET|PATCH) /api/v1/bulk-exports/{export_id}|GET /api/v1/bulk-exports)'

const unspecified: readonly Unspecified[] = [
  { places: /^GET \/threads · \[\]\./, reason: 'the shape of the response is not shown' },
  { places: /\/join · ./, reason: 'the body of the response is not shown' },
  { places: /^GET .*\/stream · /, reason: 'the specification has no such endpoint' },
  { places: /\/runs\/stream · (?!metadata\b|updates\b)/, reason: 'the event is not shown' },
  { places: /\/runs\/stream · metadata · (?!run_id$|body$)/, reason: 'only `run_id` is shown' },
  { places: /\/assistants.* · (\[\]\.)?(context|version|name|description)$/, reason: 'not a field of an assistant' },
  { places: /\/state · (checkpoint|parent_checkpoint|interrupts)\b(?!_id)/, reason: 'not a field of a thread state' },
  { places: /\/state · (tasks|next)\[\]/, reason: 'the elements of `next` and `tasks` are not shown' },
  { places: /\.(response_metadata|artifact)\./, reason: 'only the field that contains it is shown' },
  {
    places: /\/state · metadata\.writes\.\*/,
    reason: 'of `writes`, only the names of nodes are shown',
  },
  {
    places: /kwargs\.config\.configurable\.(?!(run_id|user_id|graph_id|thread_id|assistant_id|checkpoint_id)$)/,
    reason: 'what else `configurable` holds, and whether a record shows what the graph receives, is not stated',
  },
  { places: /\/destinations · (?!id$|body$)/, reason: 'only `id` is shown' },
  {
    places: new RegExp(`^${exportRecord} · (\\[\\]\\.)?(?!id$|status$|created_at$|source_bulk_export_id$|\\[\\]$|body$).`),
    reason: 'the response shows `id`, `status`, the creation time and `source_bulk_export_id`',
  },
  {
    places: /\/\{export_id\}\/runs · \[\]\.(?!id$|status$|created_at$|errors$|metadata\.result\.rows_written$)/,
    reason: 'an export run reports its id, status, creation time, number of rows and errors',
  },
  { places: /^Parquet file · rows\[\]\.(dotted_order|parent_run_id|session_id)$/, reason: 'not a column of a file' },
]

/** Whether the specification does not show a place, given as the start of the id of a mutation. */
export function isUnspecified(place: string): boolean {
  return unspecified.some(({ places }) => places.test(place))
}
