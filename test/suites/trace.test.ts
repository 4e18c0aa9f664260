import { expect, onTestFinished, test } from 'vitest'
import { createEvaluation } from '../../suites/evaluate/evaluation.ts'
import { createReport } from '../../suites/evaluate/report.ts'
import { createSharedState, openSession } from '../../suites/harness/session.ts'
import { runScenarios } from '../../suites/runner/run-scenarios.ts'
import { streamRunScenarios } from '../../suites/scenarios/deployment/stream-run.ts'
import { threadScenarios } from '../../suites/scenarios/deployment/thread.ts'
import { type Scenario, scenario } from '../../suites/scenarios/scenario.ts'
import { createLineWriter } from '../../suites/trace/lines.ts'
import { readTrace } from '../../suites/trace/read.ts'
import { traceRedaction } from '../../suites/trace/redact.ts'
import { createTrace } from '../../suites/trace/trace.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

const start = JSON.stringify({
  type: 'trace',
  version: 2,
  suite: { version: '0.1.0', catalogHash: 'hash', seed: 'seed' },
  startedAt: '2026-11-22T00:00:00.000Z',
  target: { name: 'a server' },
  repeat: 1,
  accept: {},
  baseline: {},
})

/** Records the run of some scenarios; returns the evaluation and the lines of the file. */
async function record(scenarios: readonly Scenario[], headers: Readonly<Record<string, string>> = {}) {
  const url = await startMockServer()
  const lines: string[] = []
  const { onTrace, end } = createLineWriter((line) => lines.push(line))
  const session = openSession({ endpoints: { open: { url, headers } } }, 'open', 'seed')
  onTestFinished(() => session.close())
  const evaluation = createEvaluation()
  session.trace.follow(evaluation.add)
  session.trace.follow(onTrace)
  await runScenarios(scenarios, [session], 4)
  session.trace.finish({ problems: [] })
  end()
  return { evaluation, lines }
}

/** Reads lines; returns their evaluation, and what is wrong with them. */
async function read(lines: Iterable<string>) {
  const evaluation = createEvaluation()
  return { evaluation, ...(await readTrace(lines, evaluation.add)) }
}

test('a saved trace has the same report as the run that wrote it', async () => {
  const { evaluation: live, lines } = await record([...threadScenarios, ...streamRunScenarios])

  const { evaluation, problems } = await read(lines)

  expect(problems).toEqual([])
  const report = await createReport(evaluation)
  expect(report).toEqual(await createReport(live))
  expect(report.requirements.find(({ id }) => id === 'thread.create.fresh-id')).toMatchObject({ verdict: 'pass' })
})

test('a trace that was cut off is evaluated as far as it goes, and is incomplete', async () => {
  const { lines } = await record(threadScenarios)

  const { evaluation, problems, isCutOff } = await read([...lines.slice(0, -2), '{"type":"req'])

  expect({ problems, isCutOff }).toEqual({ problems: [], isCutOff: true })
  const report = await createReport(evaluation)
  expect(report.interrupted).toBe('the trace was cut off')
  expect(report.requirements.find(({ id }) => id === 'thread.create.fresh-id')).toMatchObject({ verdict: 'pass' })
})

test('names a trace that was changed after it was written', async () => {
  const { lines } = await record(threadScenarios)

  const changed = await read(lines.map((line) => line.replace('"status":200', '"status":204')))
  const longer = await read([...lines, lines[0] ?? '', lines[1] ?? ''])

  expect(changed.problems).toEqual([
    { line: lines.length, message: expect.stringContaining('the file was changed: expected the text') },
  ])
  expect(longer.problems).toMatchObject([
    { line: lines.length + 1, message: expect.stringContaining('received more lines') },
  ])
})

test('a requirement that fails in one round and passes in another is flaky', async () => {
  const url = await startMockServer()
  const shared = createSharedState()
  const evaluation = createEvaluation()
  shared.trace.follow(evaluation.add)
  for (const [index, body] of ['{}', '{"metadata":'].entries()) {
    const session = openSession({ endpoints: { open: { url } } }, 'open', 'seed', shared, index + 1)
    onTestFinished(() => session.close())
    await runScenarios([createsThreadWith(body)], [session], 1)
  }

  const decisions = await evaluation.decide()

  expect(decisions.find(({ requirement }) => requirement === 'thread.create.accepts-empty-object')).toMatchObject({
    verdict: 'flaky',
    exercised: 2,
    evidence: expect.anything(),
  })
})

test.each([{ 'x-api-key': 'a-secret-of-the-target' }, { 'x-caller': 'a-secret-of-the-target' }])(
  'a trace holds no secret, but the name of its variable: %o',
  async (headers) => {
    const url = await startMockServer()
    const lines: string[] = []
    const secrets = ['a-secret-of-the-target']
    const session = openSession({ endpoints: { open: { url, headers } }, secrets }, 'open', 'seed')
    session.trace.follow((entry) => lines.push(JSON.stringify(entry)))
    onTestFinished(() => session.close())

    await runScenarios(threadScenarios, [session], 4)

    expect(lines.join('\n')).not.toContain('a-secret-of-the-target')
    expect(lines.join('\n')).toMatch(/\[redacted:TOUCHSTONE_OPEN_X_(API_KEY|CALLER)\]/)
  },
)

test.each([
  [0, { accept: 'application/json, text/event-stream', origin: 'http://127.0.0.1', 'x-tenant': 'threads' }],
  [1, { 'x-api-key': '127.0.0.1' }],
])('headers with words of URLs and content types change no verdict (%i secrets)', async (count, headers) => {
  const { evaluation, lines } = await record([...threadScenarios, ...streamRunScenarios], headers)

  const { requirements } = await createReport(evaluation)
  const verdictOf = (wanted: string) => requirements.find(({ id }) => id === wanted)?.verdict
  expect(['thread.create.fresh-id', 'stream.metadata.first'].map(verdictOf)).toEqual(['pass', 'pass'])
  expect(new Set(lines.join('\n').match(/\[redacted:\w+/g)).size).toBe(count)
})

test('reads what can be read of a damaged trace and names each bad line', async () => {
  const scenario = { type: 'scenario', id: 1, endpoint: 'a', title: 'creates threads', round: 1, exercises: [], at: 0 }
  const request = {
    type: 'request',
    id: 1,
    scenario: 1,
    user: 'nobody',
    intent: 'documented',
    method: 'POST',
    url: 'http://a/threads',
    headers: {},
    at: 1,
  }

  const lines = [
    start,
    JSON.stringify(scenario),
    '{"type":"requ',
    JSON.stringify({ type: 'weather', at: 2 }),
    JSON.stringify({ type: 'end', id: 7, fate: 'answered', at: 2 }),
    JSON.stringify(request),
    JSON.stringify({ type: 'end', id: 1, fate: 'answered', at: 3 }),
    JSON.stringify({ type: 'finish', problems: [], at: 4 }),
    JSON.stringify({ type: 'checksum', lines: 9, sha256: 'none' }),
  ]
  const types: string[] = []

  const { problems } = await readTrace([lines.join('\n')], ({ type }) => types.push(type))

  expect(types).toEqual(['trace', 'scenario', 'request', 'finish', 'checksum'])
  expect(problems).toEqual([
    { line: 3, message: 'expected JSON, received {"type":"requ' },
    { line: 4, message: 'expected an entry of a trace, received the type "weather"' },
    { line: 5, message: 'expected an open exchange, received the end of exchange 7' },
    { line: 7, message: 'expected a head of exchange 1 first, received its end' },
    { line: 6, message: 'expected an end of exchange 1, received none' },
    { line: 9, message: 'the file was changed: expected 9 lines before the checksum, received 8' },
  ])
})

test.each([
  ['an empty file', [], 'expected a trace of version 2, received an empty file'],
  ['another file', ['{"version":2}'], 'received another file, which starts with '],
  [
    'a trace of another version',
    [start.replace('"version":2', '"version":9')],
    'version 2, received version 9. Evaluate',
  ],
  ['a damaged first line', [start.slice(0, 60)], 'the first line is damaged: expected JSON'],
])('rejects %s', async (_, lines, message) => {
  await expect(read(lines)).rejects.toThrow(message)
})

test('an interrupted run leaves exchanges without an end, which is no damage', async () => {
  const session = openSession({ endpoints: { open: { url: 'http://127.0.0.1:9' } } }, 'open', 'seed')
  onTestFinished(() => session.close())
  const lines: string[] = []
  const { onTrace, end } = createLineWriter((line) => lines.push(line))
  session.trace.follow(onTrace)
  const described = { endpoint: 'open', title: 'waits', round: 1, exercises: [] }
  const request = { user: 'nobody', method: 'GET', url: 'http://127.0.0.1:9/threads', headers: {} }
  session.trace.scenario(described, session.redaction, 'documented').exchange(request)
  session.trace.finish({ problems: [], interrupted: 'SIGINT' })
  end()

  expect(await read(lines)).toMatchObject({ problems: [], isCutOff: false })
})

/** A scenario that creates a thread with this body. */
function createsThreadWith(body: string, intent: 'documented' | 'probe' = 'documented') {
  return scenario(['thread.create.accepts-empty-object'], `sends ${body} as ${intent}`, ({ deployment }) =>
    deployment.http.send({ method: 'POST', path: '/threads', body, intent }),
  )
}

test('a probe decides nothing, whatever the server responds', async () => {
  const { evaluation: probed } = await record([createsThreadWith('{"metadata":', 'probe')])
  const { evaluation: documented } = await record([createsThreadWith('{"metadata":')])

  expect((await probed.decide())[0]).toMatchObject({ verdict: 'inconclusive' })
  const [failed] = await documented.decide()
  expect(failed).toMatchObject({ verdict: 'fail', exercised: 1 })
  expect(failed?.evidence?.exchanges.at(-1)).toMatchObject({ method: 'POST', requestBody: '{"metadata":' })
})

test('replaces a secret that arrives in two parts of a stream', () => {
  const lines: string[] = []
  const trace = createTrace(undefined, () => 0)
  trace.follow((entry) => lines.push(JSON.stringify(entry)))
  const redaction = traceRedaction([{ value: 'a-secret-of-the-target', variable: 'TOKEN' }])
  trace.endpoint({ name: 'open', url: 'http://a', profile: 'open', headers: {}, graphs: {} })
  const exchange = trace
    .scenario({ endpoint: 'open', title: 'streams', round: 1, exercises: [] }, redaction, 'documented')
    .exchange({ user: 'nobody', method: 'GET', url: 'http://a/stream', headers: {} })

  exchange.head(200, { 'content-type': 'text/event-stream' })
  exchange.chunk('event: echo\ndata: "a-secret-')
  exchange.chunk('of-the-target"\n\nevent: cut\ndata: "a-secret-of')
  exchange.chunk('-the-target')
  exchange.end('broken')

  expect(lines.join('')).not.toContain('secret')
  expect(lines.join('').match(/\[redacted:TOKEN\]/g)).toHaveLength(2)
})
