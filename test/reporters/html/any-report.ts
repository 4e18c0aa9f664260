import fc from 'fast-check'
import type {
  Evidence,
  Exchange,
  Level,
  Outcome,
  Report,
  ReportEndpoint,
  RequirementResult,
  StreamEvent,
  Verdict,
} from '../../../reporters/model/report.ts'
import { summarize, verdictOrder } from '../../../reporters/model/verdict.ts'

/** Texts from a hostile or careless server. */
const hostile: readonly string[] = [
  '</script><script>globalThis.owned = true</script>',
  '<img src=x onerror="globalThis.owned = true">',
  '"><svg onload=globalThis.owned=1>',
  "' onmouseover='globalThis.owned=1",
  '</style><style>*{display:none}</style>',
  '<!--',
  '-->',
  ']]>',
  '</pre></details></main>',
  '&amp;&lt;&#0;&#x80;',
  '\u0000\u0001\u007f\u0085\u009b',
  '\ud800',
  '\udfff\ud800',
  '\ufdd0\u{1fffe}\ufffe',
  '\u202e\u2066',
  '\r\n\n\ttext',
  '`code` and ` one more',
  'javascript:alert(1)',
  '{"a":[1,{"b":"</pre>"}],"n":123456789012345678901}',
  '['.repeat(3000),
]

const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.tuple(fc.string(), fc.constantFrom(...hostile)).map((parts) => parts.join('')),
)

const optional: { requiredKeys: [] } = { requiredKeys: [] }
const headers = fc.dictionary(text, text, { maxKeys: 3 })
const ms = fc.oneof(fc.double({ noNaN: true, min: -1, max: 1e7 }), fc.constant(0))
const verdict: fc.Arbitrary<Verdict> = fc.constantFrom(...verdictOrder)
const level: fc.Arbitrary<Level> = fc.constantFrom('MUST', 'SHOULD', 'MAY', 'UNSPECIFIED')

const exchange: fc.Arbitrary<Exchange> = fc
  .tuple(
    fc.record({ method: text, url: text, requestHeaders: headers, startedAt: text, durationMs: ms, curl: text }),
    fc.record(
      {
        requestBody: text,
        status: fc.integer(),
        responseHeaders: headers,
        responseBody: text,
        responseBytes: fc.nat(),
        error: text,
      },
      optional,
    ),
  )
  .map(([always, sometimes]) => ({ ...always, ...sometimes }))

const streamEvent: fc.Arbitrary<StreamEvent> = fc
  .tuple(fc.record({ atMs: ms, event: text, data: text }), fc.record({ id: text }, optional))
  .map(([always, sometimes]) => ({ ...always, ...sometimes }))

const evidence: fc.Arbitrary<Evidence> = fc
  .tuple(
    fc.record({ exchanges: fc.array(exchange, { maxLength: 4 }) }),
    fc.record(
      {
        streams: fc.array(fc.record({ url: text, events: fc.array(streamEvent, { maxLength: 4 }) }), { maxLength: 2 }),
      },
      optional,
    ),
  )
  .map(([always, sometimes]) => ({ ...always, ...sometimes }))

const failure = fc
  .tuple(fc.record({ message: text }), fc.record({ expected: text, received: text }, optional))
  .map(([always, sometimes]) => ({ ...always, ...sometimes }))

const outcome: fc.Arbitrary<Outcome> = fc
  .tuple(
    fc.record({ endpoint: text, check: text, verdict, durationMs: ms }),
    fc.record({ failure, blockedBy: text, unlock: text, observation: text, evidence }, optional),
  )
  .map(([always, sometimes]) => ({ ...always, ...sometimes }))

const requirement: fc.Arbitrary<RequirementResult> = fc
  .tuple(
    fc.record({
      id: fc.oneof(text, fc.constantFrom('a.b', 'main', 'x1', 'failures', 'constructor')),
      area: text,
      section: text,
      level,
      statement: text,
      coverage: fc.constantFrom('tested', 'excluded', 'observed'),
      verdict,
      outcomes: fc.array(outcome, { maxLength: 3 }),
    }),
    fc.record({ interpretation: text, reason: text, accepted: fc.boolean() }, optional),
  )
  .map(([always, sometimes]) => ({ ...always, ...sometimes }))

const endpoint: fc.Arbitrary<ReportEndpoint> = fc
  .tuple(
    fc.record({ name: text, url: text, headers, profiles: fc.array(text) }),
    fc.record({ testGraphsRevision: text }, optional),
  )
  .map(([always, sometimes]) => ({ ...always, ...sometimes }))

const coveredSection = fc.record({
  section: text,
  statements: fc.nat(),
  undecidable: fc.nat(),
  undecided: fc.array(text, { maxLength: 2 }),
})

/** Any valid report, with texts that can break a page. Requirement ids are unique. */
export const anyReport: fc.Arbitrary<Report> = fc
  .record({
    version: text,
    startedAt: text,
    name: text,
    endpoints: fc.array(endpoint, { maxLength: 2 }),
    staleBaseline: fc.array(fc.record({ id: text, reason: text }), { maxLength: 2 }),
    problems: fc.array(text, { maxLength: 2 }),
    requirements: fc.uniqueArray(requirement, { maxLength: 8, selector: ({ id }) => id }),
    scope: fc.record(
      {
        shard: fc.stringMatching(/^[1-9]\d*\/[1-9]\d*$/),
        selection: text,
        interrupted: text,
        specification: fc.array(coveredSection, { maxLength: 2 }),
      },
      optional,
    ),
  })
  .map(({ version, startedAt, name, endpoints, staleBaseline, problems, requirements, scope }) => ({
    version: 2,
    suite: { name: 'touchstone', version, catalogHash: version, seed: name },
    startedAt,
    durationMs: 1,
    repeat: 1,
    ...scope,
    target: { name, endpoints },
    verdict: summarize(requirements, staleBaseline, problems, scope),
    staleBaseline,
    problems,
    requirements,
  }))
