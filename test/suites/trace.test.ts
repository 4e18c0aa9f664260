import { expect, onTestFinished, test } from 'vitest'
import { streamRunChecks } from '../../suites/deployment/stream-run.ts'
import { threadChecks } from '../../suites/deployment/thread.ts'
import { evaluate } from '../../suites/evaluate/evaluate.ts'
import { scenario } from '../../suites/harness/check.ts'
import { runChecks } from '../../suites/harness/run-checks.ts'
import { openSession, shareEndpoint } from '../../suites/harness/session.ts'
import { deploymentModel } from '../../suites/model/deployment.ts'
import { createTraceLog } from '../../suites/model/exchange.ts'
import { deploymentRules } from '../../suites/rules/deployment/index.ts'
import { readTrace } from '../../suites/trace/read.ts'
import { startRecording } from '../../suites/trace/recording.ts'
import { traceRedaction } from '../../suites/trace/redaction.ts'
import { createTrace } from '../../suites/trace/trace.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

const start = JSON.stringify({
  type: 'trace',
  version: 1,
  suite: { version: '0.1.0', catalogHash: 'hash', seed: 'seed' },
  startedAt: '2026-11-22T00:00:00.000Z',
})

test('a saved trace has the same findings as the run that wrote it', async () => {
  const url = await startMockServer()
  const lines = [start]
  const recording = startRecording((entry) => lines.push(JSON.stringify(entry)))
  const session = openSession({ endpoints: { open: { url } } }, 'open', 'seed', shareEndpoint(undefined, recording))
  onTestFinished(() => session.close())

  await runChecks([...threadChecks, ...streamRunChecks], [session], 4)

  const log = createTraceLog()
  const { entries, problems } = readTrace(lines)
  for (const entry of entries) log.add(entry)
  expect(problems).toEqual([])
  const [live, saved] = await Promise.all(
    [recording.log, log].map((each) => {
      const endpoint = each.endpoints.get('open')
      return endpoint && evaluate(deploymentModel(endpoint), deploymentRules)
    }),
  )
  expect(saved).toEqual(live)
  expect(saved?.find(({ requirement }) => requirement === 'thread.create.fresh-id')).toMatchObject({ verdict: 'pass' })
})

test('a trace holds no secret, but the name of its variable', async () => {
  const url = await startMockServer()
  const lines: string[] = []
  const recording = startRecording((entry) => lines.push(JSON.stringify(entry)))
  const endpoint = { url, headers: { 'x-api-key': 'a-secret-of-the-target' } }
  const session = openSession({ endpoints: { open: endpoint } }, 'open', 'seed', shareEndpoint(undefined, recording))
  onTestFinished(() => session.close())

  await runChecks(threadChecks, [session], 4)

  expect(lines.join('\n')).not.toContain('a-secret-of-the-target')
  expect(lines.join('\n')).toContain('[redacted:TOUCHSTONE_OPEN_X_API_KEY]')
})

test('reads what can be read of a damaged trace and names each bad line', () => {
  const scenario = { type: 'scenario', id: 1, endpoint: 'open', title: 'creates threads', at: 0 }
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

  const { entries, problems } = readTrace([
    start,
    JSON.stringify(scenario),
    '{"type":"requ',
    JSON.stringify({ type: 'weather', at: 2 }),
    JSON.stringify({ type: 'end', id: 7, fate: 'answered', at: 2 }),
    JSON.stringify(request),
  ])

  expect(entries.map(({ type }) => type)).toEqual(['trace', 'scenario', 'request'])
  expect(problems).toEqual([
    { line: 3, message: 'expected JSON, received {"type":"requ' },
    { line: 4, message: expect.stringContaining('expected an entry of a trace: type') },
    { line: 5, message: 'expected an open exchange, received the end of exchange 7' },
    { line: 6, message: 'exchange 1 has no end: the trace was cut off' },
  ])
})

test.each([
  ['an empty file', []],
  ['another file', ['{"version":2}']],
  ['a trace of another version', [start.replace('"version":1', '"version":9')]],
])('rejects %s', (_, lines) => {
  expect(() => readTrace(lines)).toThrow(/expected the first line to be the start of a trace of version 1, received /)
})

test('a probe decides nothing, whatever the server responds', async () => {
  const url = await startMockServer()
  const recording = startRecording()
  const session = openSession({ endpoints: { open: { url } } }, 'open', 'seed', shareEndpoint(undefined, recording))
  onTestFinished(() => session.close())
  const exchanges = (intent: 'documented' | 'probe') =>
    scenario(['thread.create.accepts-empty-object'], `sends a body that is not JSON as ${intent}`, async (context) => {
      await context.deployment.http.send({ method: 'POST', path: '/threads', body: '{"metadata":', intent })
    })

  const [probed] = await runChecks([exchanges('probe')], [session], 1)
  const [documented] = await runChecks([exchanges('documented')], [session], 1)

  expect(probed).toMatchObject({ verdict: 'inconclusive' })
  expect(documented).toMatchObject({ verdict: 'fail', exercised: 1 })
  expect(documented?.evidence?.exchanges.at(-1)).toMatchObject({ method: 'POST', requestBody: '{"metadata":' })
})

test('replaces a secret that arrives in two parts of a stream', () => {
  const lines: string[] = []
  const trace = createTrace(
    (entry) => lines.push(JSON.stringify(entry)),
    () => 0,
  )
  const redaction = traceRedaction([{ value: 'a-secret-of-the-target', variable: 'TOKEN' }])
  trace.endpoint({ name: 'open', url: 'http://a', profile: 'open', graphs: {} })
  const exchange = trace
    .scenario('open', 'streams', redaction, 'documented')
    .exchange({ user: 'nobody', method: 'GET', url: 'http://a/stream', headers: {} })

  exchange.head(200, { 'content-type': 'text/event-stream' })
  exchange.chunk('event: echo\ndata: "a-secret-')
  exchange.chunk('of-the-target"\n\nevent: cut\ndata: "a-secret-of')
  exchange.chunk('-the-target')
  exchange.end('broken')

  expect(lines.join('')).not.toContain('secret')
  expect(lines.join('').match(/\[redacted:TOKEN\]/g)).toHaveLength(2)
})
