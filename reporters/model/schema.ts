import { z } from 'zod'
import { type Report, reportVersion } from './report.ts'

const verdict = z.enum([
  'pass',
  'fail',
  'blocked',
  'warn',
  'observed',
  'not-applicable',
  'could-not-run',
  'expected-fail',
  'flaky',
  'harness-error',
  'excluded',
])

const headers = z.record(z.string(), z.string())

const exchange = z.strictObject({
  method: z.string(),
  url: z.string(),
  requestHeaders: headers,
  requestBody: z.string().exactOptional(),
  status: z.int().exactOptional(),
  responseHeaders: headers.exactOptional(),
  responseBody: z.string().exactOptional(),
  responseBytes: z.int().exactOptional(),
  startedAt: z.string(),
  durationMs: z.number(),
  error: z.string().exactOptional(),
  curl: z.string(),
})

const streamEvent = z.strictObject({
  atMs: z.number(),
  event: z.string(),
  data: z.string(),
  id: z.string().exactOptional(),
})

const outcome = z.strictObject({
  endpoint: z.string(),
  check: z.string(),
  verdict,
  failure: z
    .strictObject({
      message: z.string(),
      expected: z.string().exactOptional(),
      received: z.string().exactOptional(),
    })
    .exactOptional(),
  blockedBy: z.string().exactOptional(),
  unlock: z.string().exactOptional(),
  observation: z.string().exactOptional(),
  durationMs: z.number(),
  evidence: z
    .strictObject({
      exchanges: z.array(exchange),
      streams: z.array(z.strictObject({ url: z.string(), events: z.array(streamEvent) })).exactOptional(),
    })
    .exactOptional(),
})

const row = z.strictObject({
  id: z.string(),
  area: z.string(),
  section: z.string(),
  level: z.enum(['MUST', 'SHOULD', 'MAY', 'OPEN']),
  statement: z.string(),
  reading: z.string().exactOptional(),
  account: z.enum(['checked', 'excluded', 'observed']),
  verdict,
  reason: z.string().exactOptional(),
  accepted: z.boolean().exactOptional(),
  outcomes: z.array(outcome),
})

const endpoint = z.strictObject({
  name: z.string(),
  url: z.string(),
  headers,
  claims: z.array(z.string()),
  kitRevision: z.string().exactOptional(),
})

/** Validates a report read from a file; the published JSON Schema is made from it. */
export const reportSchema: z.ZodType<Report> = z.strictObject({
  $schema: z.string().exactOptional(),
  version: z.literal(reportVersion),
  suite: z.strictObject({
    name: z.literal('touchstone'),
    version: z.string(),
    registerHash: z.string(),
    seed: z.string(),
  }),
  startedAt: z.string(),
  durationMs: z.number(),
  repeat: z.int().min(1),
  shard: z
    .string()
    .regex(/^[1-9]\d*\/[1-9]\d*(, [1-9]\d*\/[1-9]\d*)*$/)
    .exactOptional(),
  selection: z.string().exactOptional(),
  interrupted: z.string().exactOptional(),
  target: z.strictObject({ name: z.string(), version: z.string().exactOptional(), endpoints: z.array(endpoint) }),
  verdict: z.strictObject({
    result: z.enum(['conformant', 'non-conformant', 'incomplete', 'harness-error']),
    sentence: z.string(),
    exitCode: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  }),
  staleBaseline: z.array(z.strictObject({ id: z.string(), reason: z.string() })),
  problems: z.array(z.string()),
  requirements: z.array(row),
})
