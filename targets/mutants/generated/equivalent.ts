/** Changes that a conforming server may make. */
interface Equivalence {
  /** Matches ids of mutations. */
  readonly ids: RegExp
  readonly reason: string
  /** Section of the specification. */
  readonly section: string
  /** Whether a changed response may contradict others: then a requirement may fail, too. */
  readonly mayContradict?: true
}

const list = '(GET /threads/{thread_id}/runs|POST /assistants/search|GET /api/v1/bulk-exports(/{export_id}/runs)?)'

/** Mutations that leave a conforming server. A mutation that matches none of them must fail a requirement. */
const equivalences: readonly Equivalence[] = [
  {
    ids: / · delay\b/,
    reason: 'no duration of a response is stated',
    section: 'Limits',
  },
  {
    ids: / · status 2xx 20[12]$/,
    reason: 'which 2xx status a success has is not stated',
    section: 'Endpoints',
  },
  {
    ids: / · status 4xx (401|500)$/,
    reason: 'the statuses of errors are not shown, except that of a refused caller',
    section: 'Errors',
    mayContradict: true,
  },
  {
    ids: /^\w+ \/(threads|assistants).* · status 4xx 200$/,
    reason: 'the response to unknown ids, invalid bodies and rejected runs is not shown',
    section: 'Errors',
    mayContradict: true,
  },
  {
    ids: /^\w+ \/api.* · status 401 (403|500)$/,
    reason: 'the statuses of errors of the export API are not shown',
    section: 'Errors',
    mayContradict: true,
  },
  {
    ids: /^\w+ \/api.* · content-type /,
    reason: 'the content type of responses of the export API is not stated',
    section: 'Endpoints / B. Bulk export API',
  },
  {
    ids: / · content-type of another form$/,
    reason: 'a media type may have parameters',
    section: 'Endpoints / A. Deployment API',
  },
  {
    ids: / · body with spaces$/,
    reason: 'JSON may have white space around it',
    section: 'Endpoints',
  },
  {
    ids: /\/join · (body|content-type|status 2xx 204)/,
    reason: 'the body of a join is not shown',
    section: 'Endpoints / A. Deployment API',
    mayContradict: true,
  },
  {
    ids: /^GET \/threads · (\[\]|body|content-type|status 2xx (?!401))/,
    reason: 'the response of the list of threads is not shown, except that credentials are accepted',
    section: 'Endpoints / A. Deployment API',
    mayContradict: true,
  },
  {
    ids: new RegExp(`^${list} · (body · reversed|\\[\\] · neighbor$)`),
    reason: 'the order of the list is not stated',
    section: 'Endpoints',
  },
  {
    ids: /^GET \/api\/v1\/bulk-exports(\/{export_id}\/runs)? · body in an object$/,
    reason: 'the form of the list is not shown',
    section: 'Endpoints / B. Bulk export API',
    mayContradict: true,
  },
  {
    ids: /^GET \/api\/v1\/bulk-exports · body · (empty|without)/,
    reason: 'how the list is divided into pages is not shown',
    section: 'Endpoints / B. Bulk export API',
    mayContradict: true,
  },
  {
    ids: /^POST \/assistants\/search · body · without/,
    reason: 'the largest page is not shown, and a page may be shorter than its limit',
    section: 'Limits',
    mayContradict: true,
  },
  {
    ids: /^(GET|POST|PATCH) \/api\/v1\/bulk-exports(\/{export_id})? · (created_at|source_bulk_export_id) · /,
    reason: 'the creation time is shown in the list; other responses may lack it and the schedule',
    section: 'Resources and their fields / Bulk export',
    mayContradict: true,
  },
  {
    ids: /^(POST|PATCH) \/api\/v1\/bulk-exports(\/{export_id})? · status · /,
    reason: 'whether the response to a creation or a cancellation shows the status is not stated',
    section: 'Resources and their fields / Bulk export',
    mayContradict: true,
  },
  {
    ids: /^(GET|PATCH) \/api\/v1\/bulk-exports\/{export_id} · (id · (absent|null)|body · (empty|stale)|body in an object)/,
    reason: 'fields of a read or changed export other than its status are not shown',
    section: 'Endpoints / B. Bulk export API',
    mayContradict: true,
  },
  {
    ids: /bulk-exports\/{export_id}(\/runs)? · (\[\]\.)?status · (?!absent|null|other type)/,
    reason: 'the statuses are not shown, except `Cancelled`, nor when a change shows',
    section: 'States and transitions / Export status',
    mayContradict: true,
  },
  {
    ids: /\/{export_id}\/runs · \[\]\.(id|created_at|metadata\.result\.rows_written|errors) · /,
    reason: 'the names of these fields, and the form of `errors`, are not shown: another field may have the value',
    section: 'Resources and their fields / Export run',
    mayContradict: true,
  },
  {
    ids: /^\w+ \/threads.*updated_at · (other(?! type)|stale)/,
    reason: 'what changes `updated_at` is not stated',
    section: 'Resources and their fields',
    mayContradict: true,
  },
  {
    ids: /^POST \/threads · created_at · (of the first response|stale)$/,
    reason: 'how creation times of threads relate to other times is not stated',
    section: 'Resources and their fields / Thread',
    mayContradict: true,
  },
  {
    ids: /kwargs\.config\.configurable\.user_id · (empty|of the first response|stale|other(?! type))/,
    reason: 'the value of `user_id` with custom authentication is not stated',
    section: 'Resources and their fields / Run',
    mayContradict: true,
  },
  {
    ids: /kwargs\.stream_mode · reversed$/,
    reason: 'the order of stream modes has no meaning',
    section: 'Resources and their fields / Run',
    mayContradict: true,
  },
  {
    ids: /kwargs\.input\.messages\[\]\.content(\[\]|\[\]\.\w+)? · |\.content\[\]/,
    reason: 'content blocks are shown for stored messages, not for input',
    section: 'Resources and their fields / Message',
    mayContradict: true,
  },
  {
    ids: /^GET \/threads\/{thread_id}\/runs · \[\]\.status · stale$/,
    reason: 'a run may end after the list was made: the status of the previous list is one that it had until then',
    section: 'States and transitions / Run status',
    mayContradict: true,
  },
  {
    ids: /^POST \/threads\/{thread_id}\/runs · metadata · stale$/,
    reason: 'what the metadata of a run contains is not stated',
    section: 'Resources and their fields / Run',
    mayContradict: true,
  },
  {
    ids: /^GET \/threads\/{thread_id}\/runs · \[\]\.metadata(\.owner)? · (empty|absent|null|other type)/,
    reason: 'what metadata a list of runs shows is not stated',
    section: 'Resources and their fields / Run',
    mayContradict: true,
  },
  {
    ids: /\/state · (created_at|checkpoint_id|parent_checkpoint_id) · (other(?! type)|neighbor|empty|of the first|stale)/,
    reason: 'how ids and times of checkpoints relate to other values is not stated',
    section: 'Resources and their fields / Thread state',
    mayContradict: true,
  },
  {
    ids: /\/state · metadata\.(source|step|created_by|user_id) · (?!absent)/,
    reason: 'the values of `source`, `step`, `created_by` and `user_id` are not stated',
    section: 'Resources and their fields / Thread state',
    mayContradict: true,
  },
  {
    ids: /\/state · metadata\.writes · empty$/,
    reason: 'a checkpoint after the last node may show no writes',
    section: 'Resources and their fields / Thread state',
    mayContradict: true,
  },
  {
    ids: /\/state · (next|tasks) · (empty|without|the last twice|reversed|of the first|stale|neighbor)/,
    reason: 'what `next` and `tasks` show while a run executes is not stated',
    section: 'Resources and their fields / Thread state',
    mayContradict: true,
  },
  {
    ids: /messages\[\]\.(example|name|additional_kwargs|response_metadata|invalid_tool_calls|usage_metadata(\.\w+)?) · (?!absent|null|other type)/,
    reason: 'the values of this field are not stated',
    section: 'Resources and their fields / Message',
    mayContradict: true,
  },
  {
    ids: /messages\[\]\.(artifact|status|tool_calls\[\]\.type) · (?!absent)/,
    reason: 'neither values nor types of this field are stated',
    section: 'Resources and their fields / Message',
    mayContradict: true,
  },
  {
    ids: /messages\[\]\.(name|usage_metadata|tool_call_id) · null$/,
    reason: 'the field may be null, or its type is not stated',
    section: 'Resources and their fields / Message',
    mayContradict: true,
  },
  {
    ids: /\/state · values\.messages\[\]\.id · other · other users$/,
    reason: 'the value of an id has no meaning if all responses agree',
    section: 'Resources and their fields / Message',
    mayContradict: true,
  },
  {
    ids: /updates · \*\.messages\[\]\.(id · null|usage_metadata\.\w+ · |tool_calls\[\]\.\w+ · (absent|null)|tool_calls · null)/,
    reason: 'the fields are listed for stored messages; a message in an event may lack them',
    section: 'Events',
    mayContradict: true,
  },
  {
    ids: /updates · an unknown event before/,
    reason: 'other event names are not shown: a stream may have further events',
    section: 'Events',
  },
  {
    ids: /^Parquet file · rows( · reversed|\[\] · neighbor)/,
    reason: 'the order of rows is not stated',
    section: 'Resources and their fields / Exported file layout',
  },
  {
    ids: /^Parquet file · rows\[\]\.(is_root|total_tokens) · other type$/,
    reason: 'the types of columns are not shown: a text may contain the value',
    section: 'Resources and their fields / Exported file layout',
  },
]

/** Returns why the server still conforms to the specification with a mutation; undefined if it does not. */
export function equivalenceOf(id: string): Equivalence | undefined {
  return equivalences.find(({ ids }) => ids.test(id))
}
