import { z } from 'zod'
import { reportVersion } from './parse.ts'

/** The id of the published JSON Schema; every report names it as its `$schema`. */
const schemaId = 'urn:touchstone:report:2'

const level = z.enum(['MUST', 'SHOULD', 'MAY', 'UNSPECIFIED'])

/** All verdicts of a requirement. */
const verdict = z.enum([
  'pass',
  'fail',
  'blocked',
  'warning',
  'observed',
  'not-applicable',
  'inconclusive',
  'expected-fail',
  'flaky',
  'error',
  'excluded',
])

/** Header names are sorted, so that equal reports have equal text. */
const headers = z
  .record(z.string(), z.string())
  .overwrite((values) => Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))))

const exchange = z.strictObject({
  /** The user of the configuration who sent it, if several users sent the exchanges of the evidence. */
  user: z.string().exactOptional(),
  method: z.string(),
  url: z.string(),
  requestHeaders: headers,
  requestBody: z.string().exactOptional(),
  /** Absent when no response arrived. When `error` is absent too, the request was still in flight. */
  status: z.int().exactOptional(),
  responseHeaders: headers.exactOptional(),
  /** Truncated when long; `responseBytes` is the full length. */
  responseBody: z.string().exactOptional(),
  responseBytes: z.int().exactOptional(),
  /** ISO 8601. */
  startedAt: z.string(),
  durationMs: z.number(),
  /** Why no response arrived, or why it ended early. */
  error: z.string().exactOptional(),
  /** The same request as a shell command; environment variables replace secrets. */
  curl: z.string(),
})

const streamEvent = z.strictObject({
  /** Milliseconds between sending the request and the arrival of this event. */
  atMs: z.number(),
  event: z.string(),
  data: z.string(),
  id: z.string().exactOptional(),
})

const evidence = z.strictObject({
  exchanges: z.array(exchange),
  streams: z.array(z.strictObject({ url: z.string(), events: z.array(streamEvent) })).exactOptional(),
})

const failure = z.strictObject({
  message: z.string(),
  expected: z.string().exactOptional(),
  received: z.string().exactOptional(),
  /** Where the object or field of the failure is in the deciding response, for example `values.messages[2]`. */
  path: z.string().exactOptional(),
})

const outcome = z.strictObject({
  endpoint: z.string(),
  /** Title of the check that decided the requirement. */
  check: z.string(),
  verdict,
  failure: failure.exactOptional(),
  /** Id of the failed requirement that this one depends on. */
  blockedBy: z.string().exactOptional(),
  /** The setting that would let the check run. */
  unlock: z.string().exactOptional(),
  /** What the target does where the level is UNSPECIFIED or MAY. */
  observation: z.string().exactOptional(),
  /** Number of cases in the recorded exchanges that decided it; absent for a check that decides by itself. */
  exercised: z.int().exactOptional(),
  /** Number of those cases that failed; absent if none did. */
  failed: z.int().exactOptional(),
  /** Number of responses with these failed cases; absent if each has one, for example because none has a list. */
  failedResponses: z.int().exactOptional(),
  /** What all failed cases have in common, and no other case: `with` or `after` a request. */
  failedCondition: z.string().exactOptional(),
  /** Milliseconds since the check decided its previous requirement, or since it started. */
  durationMs: z.number(),
  /** Kept for requirements that did not pass and for observed ones. */
  evidence: evidence.exactOptional(),
})

const count = z.int().min(0)

/** Results of the tests of Touchstone itself for one requirement. */
const strength = z.strictObject({
  /** Hand-written mutants that the requirement detects. */
  mutants: count,
  /** Generated mutants that the requirement detects. */
  generatedMutants: count,
  /** Variants, unusual but conforming servers, on which the requirement was tested and passes. */
  variants: count,
})

/** Results of the tests of Touchstone itself. */
const suiteStrength = z.strictObject({
  mutants: count,
  generatedMutants: z.strictObject({ killed: count, equivalent: count, survived: count }),
  variants: z.strictObject({ accepted: count, rejected: count }),
})

const requirement = z.strictObject({
  id: z.string(),
  area: z.string(),
  section: z.string(),
  level,
  statement: z.string(),
  /** How Touchstone reads an ambiguous sentence of the specification. */
  interpretation: z.string().exactOptional(),
  coverage: z.enum(['tested', 'excluded', 'observed']),
  verdict,
  /** Why the requirement is excluded, accepted, not applicable or expected to fail. */
  reason: z.string().exactOptional(),
  /** The configuration accepts this gap, so it does not count. */
  accepted: z.boolean().exactOptional(),
  strength: strength.exactOptional(),
  outcomes: z.array(outcome),
})

const coveredSection = z.strictObject({
  section: z.string(),
  /** Number of sentences, table cells and rules. */
  statements: count,
  /** Number of those that no response, event or file can decide. */
  undecidable: count,
  /** Positions of the others that the run did not decide: none of their requirements passed or failed. */
  undecided: z.array(z.string()),
})

const endpoint = z.strictObject({
  name: z.string(),
  url: z.string(),
  headers,
  profiles: z.array(z.string()),
  testGraphsRevision: z.string().exactOptional(),
})

/** Validates a report. Its output has the keys in the order of this schema; the published JSON Schema is generated from it. */
export const reportSchema = z.strictObject({
  $schema: z.string().default(schemaId),
  version: z.literal(reportVersion),
  suite: z.strictObject({
    name: z.literal('touchstone'),
    version: z.string(),
    /** SHA-256 of the requirement catalog. */
    catalogHash: z.string(),
    seed: z.string(),
    strength: suiteStrength.exactOptional(),
  }),
  /** ISO 8601. */
  startedAt: z.string(),
  durationMs: z.number(),
  repeat: z.int().min(1),
  /** `i/n` when only a part was run. */
  shard: z
    .string()
    .regex(/^[1-9]\d*\/[1-9]\d*(, [1-9]\d*\/[1-9]\d*)*$/)
    .exactOptional(),
  /** How requirements were selected; absent when all were. */
  selection: z.string().exactOptional(),
  /** What the options of the run left out, as a sentence. It does not count as incomplete. */
  notRun: z.string().exactOptional(),
  /** Why the run ended early. */
  interrupted: z.string().exactOptional(),
  target: z.strictObject({ name: z.string(), version: z.string().exactOptional(), endpoints: z.array(endpoint) }),
  verdict: z.strictObject({
    result: z.enum(['conformant', 'non-conformant', 'incomplete', 'error']),
    sentence: z.string(),
    exitCode: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  }),
  /** Baseline entries that pass now or have expired. */
  staleBaseline: z.array(z.strictObject({ id: z.string(), reason: z.string() })),
  /** Errors of the run itself: a failed preflight, bugs in Touchstone, a target that went away. */
  problems: z.array(z.string()),
  requirements: z.array(requirement),
  /** How much of the specification the run decided, by section. */
  specification: z.array(coveredSection).exactOptional(),
})

export type Level = z.infer<typeof level>
export type Verdict = z.infer<typeof verdict>
/** One HTTP request with its response; secrets are `[redacted]`. */
export type Exchange = z.infer<typeof exchange>
/** One server-sent event. */
export type StreamEvent = z.infer<typeof streamEvent>
/** What a check recorded. */
export type Evidence = z.infer<typeof evidence>
export type Failure = z.infer<typeof failure>
/** The result of one check for one requirement on one endpoint, once for each repeat. */
export type Outcome = z.infer<typeof outcome>
/** How a requirement is covered: by a check, by observation only, or not at all. */
export type Coverage = RequirementResult['coverage']
/** One requirement with the worst verdict of all endpoints and repeats. */
export type RequirementResult = z.infer<typeof requirement>
/** How many wrong servers a requirement detects, and how many unusual but conforming ones pass it. */
export type Strength = z.infer<typeof strength>
export type SuiteStrength = z.infer<typeof suiteStrength>
export type ReportEndpoint = z.infer<typeof endpoint>
/** One run of the suites against one target. Every output format is rendered from it. */
export type Report = z.input<typeof reportSchema>

/** The report with its keys in schema order and its header names sorted, so that equal reports have equal text. */
export function inOrder(report: Report): Report {
  return reportSchema.parse(report)
}

/** The published JSON Schema of a report (draft 2020-12), as the text of `report.schema.json`. */
export function reportJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(reportSchema, { target: 'draft-2020-12', io: 'input' })
  const title = 'Touchstone conformance report'
  const description =
    'One run of the suites against one target: identity, verdict, and every requirement with its evidence.'
  return `${JSON.stringify({ $schema, $id: schemaId, title, description, ...schema }, null, 2)}\n`
}
