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
    ids: /^GET \/threads · (\[\]|body|content-type|status 2xx 204)/,
    reason: 'the shape of the list of threads is not shown',
    section: 'Endpoints / A. Deployment API',
    mayContradict: true,
  },
  {
    ids: new RegExp(`^${list} · (body · reversed|\\[\\] · neighbor$)`),
    reason: 'the order of the list is not stated',
    section: 'Endpoints',
  },
  {
    ids: /^\w+ \/threads.*updated_at · (other(?! type)|stale)/,
    reason: 'what changes `updated_at` is not stated',
    section: 'Resources and their fields',
    mayContradict: true,
  },
  {
    ids: /\/state · (created_at|checkpoint_id|parent_checkpoint_id) · other(?! type)/,
    reason: 'how ids and times of checkpoints relate to other values is not stated',
    section: 'Resources and their fields / Thread state',
    mayContradict: true,
  },
  {
    ids: /\/state · metadata\.(source|step|created_by) · (?!absent|null|other type)/,
    reason: 'the values of `source`, `step` and `created_by` are not stated',
    section: 'Resources and their fields / Thread state',
    mayContradict: true,
  },
  {
    ids: /\/state · (next|tasks) · (without|the last twice|reversed|of the first|stale|neighbor)/,
    reason: 'what `next` and `tasks` show while a run executes is not stated',
    section: 'Resources and their fields / Thread state',
    mayContradict: true,
  },
  {
    ids: /messages\[\]\.(example|artifact|status|name|additional_kwargs|response_metadata|invalid_tool_calls|usage_metadata(\.\w+)?|tool_calls\[\]\.type) · (?!absent|null|other type)/,
    reason: 'the values of this field are not stated',
    section: 'Resources and their fields / Message',
    mayContradict: true,
  },
]

/** Returns why the server still conforms to the specification with a mutation; undefined if it does not. */
export function equivalenceOf(id: string): Equivalence | undefined {
  return equivalences.find(({ ids }) => ids.test(id))
}
