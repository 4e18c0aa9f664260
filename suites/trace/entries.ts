import { z } from 'zod'

/** Version of the trace format. A reader refuses any other version. */
export const traceVersion = 2

/** Milliseconds since the trace started. */
const at = z.number()
const id = z.int().positive()
const headers = z.record(z.string(), z.string())

/** Why a request was sent; see `Intent`. */
const intent = z.enum(['documented', 'fault', 'probe'])

/** Known failures of a target, by requirement id. */
export const knownFailures = z.record(
  z.string(),
  z.strictObject({
    reason: z.string().min(1),
    /** URL of the issue that tracks it. */
    link: z.string().exactOptional(),
    /** Last day on which the entry is valid, `YYYY-MM-DD`. */
    expires: z.iso.date().exactOptional(),
    /** Whether the requirement passes at times: a pass then does not make the entry stale. */
    intermittent: z.boolean().exactOptional(),
  }),
)

const start = z.strictObject({
  type: z.literal('trace'),
  version: z.literal(traceVersion),
  suite: z.strictObject({ version: z.string(), catalogHash: z.string(), seed: z.string() }),
  /** ISO 8601. */
  startedAt: z.string(),
  target: z.strictObject({ name: z.string(), version: z.string().exactOptional() }),
  repeat: z.int().min(1),
  /** Ids of the requirements to decide; absent if they are all. */
  requirements: z.array(z.string()).exactOptional(),
  /** How they were selected, for the report. */
  selection: z.string().exactOptional(),
  shard: z.string().exactOptional(),
  /** What the options of the test run left out, as a sentence. */
  notRun: z.string().exactOptional(),
  /** Reasons of accepted gaps, by the id of a requirement or the prefix of several. */
  accept: z.record(z.string(), z.string()),
  /** Known failures of the target. */
  baseline: knownFailures,
})

const endpoint = z.strictObject({
  type: z.literal('endpoint'),
  name: z.string(),
  url: z.string(),
  profile: z.enum(['open', 'custom-auth', 'hosted', 'self-hosted']),
  /** Headers of every request. */
  headers,
  /** Revision of the test graphs that the endpoint runs, if known. */
  testGraphsRevision: z.string().exactOptional(),
  /** Deployed names of the test graphs; a graph that is not deployed is absent. */
  graphs: z.record(z.string(), z.string()),
  /** Name of the graph that runs where any graph will do. */
  anyGraph: z.string().exactOptional(),
  /** Longest wait for one change of state, in milliseconds. */
  waitMs: z.number().exactOptional(),
  /** Longest wait for a spawned export after its due time, in milliseconds. */
  lateMs: z.number().exactOptional(),
  /** What the configuration says of the users of the authentication handler, by name. */
  users: z
    .record(
      z.string(),
      z.strictObject({
        identity: z.string().exactOptional(),
        fields: z.record(z.string(), z.unknown()).exactOptional(),
        sendsBearer: z.boolean(),
      }),
    )
    .exactOptional(),
  /** Detail message of the handler's 401 responses. */
  refusalDetail: z.string().exactOptional(),
  /** Final statuses of exports that Touchstone does not know. */
  statuses: z
    .strictObject({ ended: z.array(z.string()).readonly(), failed: z.array(z.string()).readonly() })
    .exactOptional(),
  /** Variables of secrets of the bucket that other text may contain by chance. */
  commonSecrets: z.array(z.string()).exactOptional(),
})

const scenario = z.strictObject({
  type: z.literal('scenario'),
  id,
  endpoint: z.string(),
  title: z.string(),
  /** Number of the repeat, from 1. */
  round: z.int().positive(),
  /** Ids of the requirements that it exercises. */
  exercises: z.array(z.string()),
  at,
})

const request = z.strictObject({
  type: z.literal('request'),
  id,
  /** Id of the scenario that sent it. */
  scenario: id,
  /** Name of a user or caller of the configuration, or `nobody`. */
  user: z.string(),
  intent,
  /** With the intent `fault`: id of the accepted request that differs from this one only in the fault. */
  control: id.exactOptional(),
  /** Id of the requirement that the server accepts the request; with the intent `fault`, that it refuses the request. */
  requirement: z.string().exactOptional(),
  method: z.string(),
  url: z.string(),
  headers,
  body: z.string().exactOptional(),
  at,
})

const head = z.strictObject({ type: z.literal('head'), id, status: z.int(), headers, at })

/** Part of the body of an event stream, as it arrived. */
const chunk = z.strictObject({ type: z.literal('chunk'), id, text: z.string(), at })

const end = z.strictObject({
  type: z.literal('end'),
  id,
  /**
   * `answered`: the whole response arrived; `lost`: no response; `broken`: the response ended early; `left`: the client
   * closed the connection.
   */
  fate: z.enum(['answered', 'lost', 'broken', 'left']),
  /** The whole body, unless it was an event stream. */
  body: z.string().exactOptional(),
  error: z.string().exactOptional(),
  at,
})

/** What a scenario reports of a requirement: an observation, or why it could not exercise the requirement. */
const outcome = z.strictObject({
  type: z.literal('outcome'),
  scenario: id,
  requirement: z.string(),
  verdict: z.enum(['observed', 'blocked', 'inconclusive', 'not-applicable', 'error']),
  message: z.string(),
  /** With the verdict `inconclusive`: the remedy. */
  unlock: z.string().exactOptional(),
  /** With the verdict `blocked`: id of the requirement that fails. */
  blockedBy: z.string().exactOptional(),
  /** Id of the exchange that shows it. */
  exchange: id.exactOptional(),
  at,
})

/** The end of all scenarios of one repeat. */
const roundEnd = z.strictObject({ type: z.literal('round-end'), round: z.int().positive(), at })

/** The end of the test run. A trace without it was cut off. */
const finish = z.strictObject({
  type: z.literal('finish'),
  /** Errors outside of scenarios: bugs in Touchstone or in a driver module. */
  problems: z.array(z.string()),
  /** Why the test run ended early. */
  interrupted: z.string().exactOptional(),
  at,
})

/** The last line of a file: what the file must contain. */
const checksum = z.strictObject({ type: z.literal('checksum'), lines: z.int(), sha256: z.string() })

/** What the bucket or the driver showed between two moments. */
const observed = { scenario: id, startedAt: at, at }

/** The objects in a bucket whose keys start with a prefix. */
const listing = z.strictObject({
  type: z.literal('listing'),
  ...observed,
  bucket: z.string(),
  prefix: z.string(),
  objects: z.array(z.strictObject({ key: z.string(), size: z.number(), modifiedAt: z.string().exactOptional() })),
})

/** The content of an object in a bucket. */
const file = z.strictObject({
  type: z.literal('file'),
  ...observed,
  bucket: z.string(),
  key: z.string(),
  /** Absent if the object is not a Parquet file, or could not be read. */
  content: z
    .strictObject({
      columns: z.array(z.strictObject({ name: z.string(), type: z.string() })),
      compression: z.array(z.string()),
      /** Rows of each row group. */
      rowGroups: z.array(z.number()),
      /** The documented columns, and those that identify a run. */
      rows: z.array(z.record(z.string(), z.unknown())),
    })
    .exactOptional(),
  /** The first characters of an object that is not a Parquet file. */
  start: z.string().exactOptional(),
  /** Secrets in the first 8 KiB of an object that is not a Parquet file, or in the metadata of one: `[redacted:NAME]`. */
  secrets: z.array(z.string()).exactOptional(),
  /** Why the object could not be read. */
  error: z.string().exactOptional(),
})

/** Runs that the driver added to projects. */
const seed = z.strictObject({
  type: z.literal('seed'),
  ...observed,
  records: z.array(z.looseObject({ id: z.string() })),
})

/** A move or a read of the service's clock through the driver; with neither, only the driver knows what it shows. */
const clock = z.strictObject({
  type: z.literal('clock'),
  ...observed,
  advancedMs: z.number().exactOptional(),
  /** Milliseconds since the Unix epoch. */
  now: z.number().exactOptional(),
})

/** What the store returns when an account does what it may not do. */
const storeRefusal = z.strictObject({
  type: z.literal('store-refusal'),
  ...observed,
  /** What was tried, such as `access-denied`. */
  fault: z.string(),
  /** Absent if the store accepts it. */
  code: z.string().exactOptional(),
})

/** A bucket in which the service can no longer write. */
const bucketFault = z.strictObject({
  type: z.literal('bucket-fault'),
  ...observed,
  bucket: z.string(),
  fault: z.enum(['removed', 'denied']),
})

/** A scheduled export that an earlier test run started. */
const started = z.strictObject({
  type: z.literal('started'),
  ...observed,
  /** Its id. */
  export: z.string(),
  /** The body of its creation. */
  request: z.looseObject({}),
  bucket: z.string(),
  prefix: z.string(),
  /** Time of the service when the earlier run ended, in milliseconds since the Unix epoch. */
  createdMs: z.number(),
  /** Whether the earlier run cancelled it. */
  isCancelled: z.boolean(),
  /** Ids of the exports that it had spawned by then. */
  spawned: z.array(z.string()),
})

const observation = z.discriminatedUnion('type', [listing, file, seed, clock, storeRefusal, bucketFault, started])

/** Validates one line of a trace. */
export const traceEntry = z.discriminatedUnion('type', [
  start,
  endpoint,
  scenario,
  request,
  head,
  chunk,
  end,
  observation,
  outcome,
  roundEnd,
  finish,
  checksum,
])

/** What the bucket or the driver showed. */
export type Observation = z.infer<typeof observation>

/** One line of a trace. Secrets are replaced before an entry is made. */
export type TraceEntry = z.infer<typeof traceEntry>

/**
 * Why a request was sent.
 *
 * - `documented`: as the specification shows it. Only these requests decide a MUST.
 * - `fault`: a documented request with one fault; the server must refuse it.
 * - `probe`: to observe unspecified behavior; any response is right.
 */
export type Intent = z.infer<typeof intent>

/** How an exchange ended. */
export type Fate = z.infer<typeof end>['fate']

/** An endpoint of the target, as far as rules and reports need it. */
export type TracedEndpoint = Omit<z.infer<typeof endpoint>, 'type'>

/** What a report shows of a test run, whatever the target responds. */
export type TraceStart = z.infer<typeof start>

/** A run of a scenario. */
export type TracedScenario = Omit<z.infer<typeof scenario>, 'type'>

/** A request as it was sent. */
export type TracedRequest = z.infer<typeof request>

/** What a scenario reports of a requirement. */
export type TracedOutcome = z.infer<typeof outcome>

/** The end of a test run. */
export type TraceFinish = Omit<z.infer<typeof finish>, 'type'>

/** The published JSON Schema of one line of a trace. */
export function traceJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(traceEntry, { target: 'draft-2020-12', io: 'input' })
  const title = 'Line of a Touchstone trace'
  const description =
    'A trace is a file of such lines (NDJSON): everything that a test run sent and received, without secrets.'
  return `${JSON.stringify({ $schema, $id: `urn:touchstone:trace:${traceVersion}`, title, description, ...schema }, null, 2)}\n`
}
