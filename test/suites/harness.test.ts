import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Decision } from '../../suites/evaluate/decisions.ts'
import { createEvaluation } from '../../suites/evaluate/evaluation.ts'
import type { DeploymentContext } from '../../suites/harness/context.ts'
import { NotApplicable } from '../../suites/harness/errors.ts'
import type { TargetEndpoint } from '../../suites/harness/manifest.ts'
import { openSession, type Session } from '../../suites/harness/session.ts'
import { runAndDecide } from '../../suites/runner/run-and-decide.ts'
import { runScenarios } from '../../suites/runner/run-scenarios.ts'
import { probe, type Scenario, scenario } from '../../suites/scenarios/scenario.ts'
import { http2Server, httpServer } from '../fixtures/http-server.ts'

/** Opens a session until the test ends. */
function opened(endpoint: TargetEndpoint): Session {
  const session = openSession({ endpoints: { open: endpoint }, budgets: { waitMs: 2000 } }, 'open', 'seed')
  onTestFinished(() => session.close())
  return session
}

/** Runs checks one after another against an endpoint; returns the decisions by requirement. */
async function decisionsOf(
  scenarios: readonly Scenario[],
  endpoint: TargetEndpoint,
): Promise<Record<string, Decision>> {
  const session = opened(endpoint)
  const decisions = await runAndDecide(scenarios, [session], 1)
  return Object.fromEntries(decisions.map((decision) => [decision.requirement, decision]))
}

const createsThread = scenario(['thread.create.fresh-id'], 'creates a thread', ({ deployment }) => deployment.thread())

test('a requirement that passes has no evidence', async () => {
  const url = await httpServer((_, response) => response.end('{"thread_id":"0e2cb9ce-4b87-4c1d-8f5e-1f4a2c3d4e5f"}'))
  const { 'thread.create.fresh-id': decision } = await decisionsOf([createsThread], { url })
  expect(decision).toMatchObject({ endpoint: 'open', check: 'creates a thread', verdict: 'pass', exercised: 1 })
  expect(decision).not.toHaveProperty('evidence')
})

test('a failure shows the expected and the received value, and how to repeat the request', async () => {
  const url = await httpServer((_, response) => response.writeHead(500).end('out of threads'))
  const decisions = await decisionsOf([createsThread], { url })
  const failed = decisions['thread.create.accepts-empty-object']
  expect(failed).toMatchObject({
    verdict: 'fail',
    failure: { expected: expect.stringContaining('2xx'), received: expect.stringContaining('500') },
  })
  expect(failed?.evidence?.exchanges.at(-1)?.curl).toBe(
    `curl -sS -i -X POST '${url}/threads' -H 'content-type: application/json' --data-binary '{}'`,
  )
  expect(decisions['thread.create.fresh-id']).toMatchObject({
    verdict: 'blocked',
    blockedBy: 'thread.create.accepts-empty-object',
  })
})

test('a probe with headers of its own has a connection of its own, because a server may cache headers', async () => {
  const callers: { readonly port: number | undefined; readonly isOdd: boolean }[] = []
  const url = await httpServer(({ socket, headers }, response) => {
    callers.push({ port: socket.remotePort, isOdd: headers.authorization === 'bearer of-anyone' })
    response.end('{"thread_id":"0e2cb9ce-4b87-4c1d-8f5e-1f4a2c3d4e5f"}')
  })
  const twoCallers = probe('auth.default-credential-header', 'observes', async ({ deployment }) => {
    const request = { method: 'POST', path: '/threads', body: {} } as const
    for (let sent = 0; sent < 4; sent++) {
      await deployment.http.send(request)
      await deployment.http.send({ ...request, headers: { authorization: 'bearer of-anyone' } })
    }
  })
  await decisionsOf([twoCallers], { url, headers: { authorization: 'Bearer of-anyone' } })
  expect(new Set(callers.filter(({ isOdd }) => isOdd).map(({ port }) => port)).size).toBe(4)
  expect(new Set(callers.map(({ port }) => port)).size).toBeLessThan(callers.length)
})

test('uses HTTP/1.1 also for a server that offers HTTP/2', async () => {
  const versions = new Set<string>()
  const url = await http2Server(({ httpVersion }, response) => {
    versions.add(httpVersion)
    response.end('{"thread_id":"t"}')
  })
  await decisionsOf([createsThread], { url })
  expect(versions).toEqual(new Set(['1.1']))
})

test('repeats a request that it would have abandoned after a 429 response', async () => {
  const statuses: number[] = []
  const url = await httpServer(({ method }, response) => {
    if (method === 'POST') statuses.push(statuses.length < 2 ? 429 : 200)
    response.writeHead(statuses.at(-1) ?? 200).end('{}')
  })
  const leaves = probe('errors.body-shape', 'leaves', async ({ deployment, observe }) => {
    await deployment.http.abandon({ method: 'POST', path: '/threads', body: {} }, 1000)
    observe('errors.body-shape', 'none')
  })
  await decisionsOf([leaves], { url })
  expect(statuses).toEqual([429, 429, 200])
})

test('neither evidence nor curl command contain secrets, not even the token of a bearer header', async () => {
  const url = await httpServer((request, response) => response.end(`you sent ${request.headers.authorization}`))
  const headers = { authorization: 'Bearer s3cr3t-token' }
  const leaky = probe('errors.body-shape', 'a leak', async ({ deployment, observe }) => {
    const path = '/threads?token=s3cr3t-token'
    const { text } = await deployment.http.send({ method: 'POST', path, body: { token: 's3cr3t-token' } })
    observe('errors.body-shape', text)
  })
  const { 'errors.body-shape': decision } = await decisionsOf([leaky], { url, headers })
  expect(JSON.stringify(decision)).not.toContain('s3cr3t')
  expect(decision?.observation).toBe('you sent [redacted]')
  const [exchange] = decision?.evidence?.exchanges ?? []
  expect(exchange?.requestHeaders['authorization']).toBe('[redacted]')
  expect(exchange?.responseBody).toBe('you sent [redacted]')
  expect(exchange?.curl).toContain('-H "authorization: $TOUCHSTONE_OPEN_AUTHORIZATION"')
})

test('a secret in a body is an environment variable of the curl command, which runs in a shell', async () => {
  const url = await httpServer((_, response) => response.end('{}'))
  const leaky = probe('errors.body-shape', 'a body', async ({ deployment, observe }) => {
    await deployment.http.send({ method: 'POST', path: '/threads', body: { text: "it's", key: 's3cr3t-key', $n: 1 } })
    observe('errors.body-shape', 'none')
  })
  const { 'errors.body-shape': decision } = await decisionsOf([leaky], { url, headers: { 'x-key': 's3cr3t-key' } })
  const [exchange] = decision?.evidence?.exchanges ?? []
  expect(JSON.stringify(decision)).not.toContain('s3cr3t')
  const body = exchange?.curl.split('--data-binary ')[1] ?? ''
  const env = { ...process.env, TOUCHSTONE_OPEN_X_KEY: 's3cr3t-key' }
  const { stdout } = await promisify(execFile)('bash', ['-c', `printf %s ${body}`], { env })
  expect(JSON.parse(stdout)).toEqual({ text: "it's", key: 's3cr3t-key', $n: 1 })
})

test.each([
  ['seconds', 2, '0'],
  ['a date', 1, new Date(Date.now() - 1000).toUTCString()],
])('waits for %s in Retry-After of %i 429 responses, which never decide a verdict', async (_, refused, header) => {
  let requests = 0
  const url = await httpServer((_, response) => {
    requests += 1
    if (requests <= refused) response.writeHead(429, { 'retry-after': header })
    response.end('{"thread_id":"t"}')
  })
  const { 'thread.create.fresh-id': decision } = await decisionsOf([createsThread], { url })
  expect(decision?.verdict).toBe('pass')
  expect(requests).toBe(refused + 1)
})

test('a date in Retry-After is one of the clock of the server', async () => {
  let requests = 0
  const ahead = new Date(Date.now() + 3_600_000).toUTCString()
  const url = await httpServer((_, response) => {
    requests += 1
    if (requests === 1) response.writeHead(429, { date: ahead, 'retry-after': ahead })
    response.end('{"thread_id":"t"}')
  })
  const { 'thread.create.fresh-id': decision } = await decisionsOf([createsThread], { url })
  expect(decision?.verdict).toBe('pass')
})

test('a 429 response with a longer Retry-After than the budget makes a requirement inconclusive', async () => {
  const url = await httpServer((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
  const { 'thread.create.fresh-id': decision } = await decisionsOf([createsThread], { url })
  expect(decision).toMatchObject({ verdict: 'inconclusive', unlock: expect.stringContaining('limits.exports') })
  expect(decision?.failure?.message).toContain('429 with 3600 s to wait, after waits of 0 s')
})

test('a lost request makes a requirement inconclusive, and names the request', async () => {
  const url = await httpServer((request) => request.socket.destroy())
  const { 'thread.create.fresh-id': decision } = await decisionsOf([createsThread], { url })
  expect(decision?.verdict).toBe('inconclusive')
  expect(decision?.failure?.message).toMatch(/^no response to POST \/threads: /)
  expect(decision?.evidence?.exchanges.at(-1)?.error).toContain('UND_ERR_SOCKET')
})

test('requests of which none is answered fail the requirement that they are accepted, which blocks others', async () => {
  const url = await httpServer((request) => request.socket.destroy())
  const decisions = await decisionsOf([createsThread, createsThread, createsThread], { url })
  expect(decisions['thread.create.accepts-empty-object']).toMatchObject({ verdict: 'fail' })
  expect(decisions['thread.create.fresh-id']).toMatchObject({
    verdict: 'blocked',
    blockedBy: 'thread.create.accepts-empty-object',
  })
})

test('a response whose body breaks off makes a requirement inconclusive, and names the request', async () => {
  const url = await httpServer((request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"thread_id":', () => request.socket.destroy())
  })
  const { 'thread.create.fresh-id': decision } = await decisionsOf([createsThread], { url })
  expect(decision?.verdict).toBe('inconclusive')
  expect(decision?.failure?.message).toMatch(/^the response to POST \/threads was cut off: /)
})

test('an unexpected exception is an error in Touchstone, also where rules decide', async () => {
  const url = await httpServer((_, response) => response.end('{"thread_id":"t"}'))
  const broken = scenario(['thread.create.fresh-id'], 'a broken scenario', async ({ deployment }) => {
    await deployment.thread()
    throw new TypeError('cannot read the moon')
  })
  const session = opened({ url })
  const decisions = await runAndDecide([broken], [session], 1)
  const own = decisions.filter(({ requirement }) => requirement === 'thread.create.fresh-id')
  expect(own.map(({ verdict }) => verdict)).toEqual(['pass', 'error'])
  expect(own[1]?.failure?.message).toContain('TypeError: cannot read the moon')
})

test('a fault is sent after the valid request, and is inconclusive if that is refused', async () => {
  const url = await httpServer((_, response) => response.writeHead(503).end())
  const refuses = probe('errors.body-shape', 'a fault is refused', async ({ negative, observe }) => {
    const response = await negative({ method: 'POST', path: '/threads', body: {} }, { body: 'no JSON' })
    observe('errors.body-shape', String(response.status))
  })
  const { 'errors.body-shape': decision } = await decisionsOf([refuses], { url })
  expect(decision).toMatchObject({
    verdict: 'inconclusive',
    failure: { message: 'expected a 2xx response to the valid request of this check, received 503' },
    unlock: 'fix the response to the valid request, which the check needs before it sends an invalid one',
  })
})

test('a missing user in the configuration makes a requirement inconclusive', async () => {
  const url = await httpServer((_, response) => response.end('{}'))
  const asBob = scenario(['thread.create.answers-json'], 'bob', ({ as }) => as('bob').thread())
  const { 'thread.create.answers-json': decision } = await decisionsOf([asBob], { url })
  expect(decision).toMatchObject({
    verdict: 'inconclusive',
    unlock: 'set endpoints.open.users.bob in the configuration',
  })
})

test('a requirement of an option that the target does not have is not applicable', async () => {
  const url = await httpServer((_, response) => response.end('{}'))
  const optional = scenario(['thread.create.answers-json'], 'an option', async () => {
    throw new NotApplicable('the configuration names no such user')
  })
  const { 'thread.create.answers-json': decision } = await decisionsOf([optional], { url })
  expect(decision).toMatchObject({
    verdict: 'not-applicable',
    failure: { message: 'the configuration names no such user' },
  })
})

test('a failed SHOULD is a warning', async () => {
  const url = await httpServer((_, response) => response.end('{"thread_id":"t"}'))
  const { 'thread.fields.values.present': decision } = await decisionsOf([createsThread], { url })
  expect(decision?.verdict).toBe('warning')
})

test('the evidence of a failure contains the requests that created its ids, also of other scenarios', async () => {
  const thread = '0e2cb9ce-4b87-4c1d-8f5e-1f4a2c3d4e5f'
  const run = '1e2cb9ce-4b87-4c1d-8f5e-1f4a2c3d4e5f'
  const url = await httpServer((request, response) => {
    if (request.url === '/threads') response.end(JSON.stringify({ thread_id: thread }))
    else response.end(JSON.stringify({ run_id: run, thread_id: thread, status: 'done' }))
  })
  const threadId = ({ session, deployment }: DeploymentContext) => session.memoize('thread', () => deployment.thread())
  const first = scenario(['thread.create.fresh-id'], 'creates it', threadId)
  const second = scenario(['run.create.status-pending'], 'uses it', async (context) => {
    await context.deployment.startRun(await threadId(context), { graph: 'echo' })
  })

  const { 'run.create.status-pending': decision } = await decisionsOf([first, second], { url })

  expect(decision?.evidence?.exchanges.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    'POST /threads',
    `POST /threads/${thread}/runs`,
  ])
})

test('a run that is aborted keeps what was recorded until then, and no check starts or reports afterwards', async () => {
  const session = opened({ url: 'http://127.0.0.1:9' })
  const evaluation = createEvaluation()
  session.trace.follow(evaluation.add)
  const abort = new AbortController()
  const release = Promise.withResolvers<void>()
  const started: string[] = []
  const ended: string[] = []
  const step = (title: string, run: () => unknown) =>
    probe('errors.body-shape', title, async ({ observe }) => {
      started.push(title)
      await run()
      observe('errors.body-shape', title)
    })
  const scenarios = [
    step('ends', () => undefined),
    step('aborts', () => abort.abort()),
    step('waits', () => release.promise),
    step('comes later', () => undefined),
  ]

  await runScenarios(scenarios, [session], 1, { onEnd: ({ title }) => ended.push(title), signal: abort.signal })
  session.trace.finish({ problems: [] })
  release.resolve()
  await new Promise((resolve) => setTimeout(resolve, 5))

  const decisions = await evaluation.decide()
  expect(decisions.map(({ observation }) => observation)).toEqual(['ends'])
  expect(ended).toEqual(['ends'])
  expect(started).toEqual(['ends', 'aborts'])
})

test('an error outside of a check is reported, and the other checks run', async () => {
  const session = opened({ url: 'http://127.0.0.1:9' })
  const evaluation = createEvaluation()
  session.trace.follow(evaluation.add)
  const fine = probe('errors.body-shape', 'fine', async ({ observe }) => observe('errors.body-shape', 'none'))
  const broken = { ...fine, title: 'broken', exercises: Object.assign([...fine.exercises], { filter: undefined }) }
  const errors: string[] = []

  const onError = (error: unknown, { title }: Scenario) => errors.push(`${title}: ${error}`)
  await runScenarios([broken as unknown as Scenario, fine], [session], 2, { onError })

  expect((await evaluation.decide()).map(({ check }) => check)).toEqual(['fine'])
  expect(errors).toEqual(['broken: TypeError: scenario.exercises.filter is not a function'])
})
