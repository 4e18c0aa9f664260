import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { type Check, check } from '../../suites/harness/check.ts'
import { NotApplicable } from '../../suites/harness/errors.ts'
import type { TargetEndpoint } from '../../suites/harness/manifest.ts'
import { type Decision, runCheck } from '../../suites/harness/run-check.ts'
import { runChecks } from '../../suites/harness/run-checks.ts'
import { openSession } from '../../suites/harness/session.ts'

const closing: (() => void)[] = []

afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Starts a server with this handler; returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Runs one check against an endpoint. */
async function decide(one: Check, endpoint: TargetEndpoint): Promise<readonly Decision[]> {
  const session = openSession({ endpoints: { open: endpoint }, budgets: { waitMs: 2000 } }, 'open', 'seed')
  closing.push(() => void session.close())
  return runCheck(one, session)
}

const makesThread = check('thread.create.fresh-id', 'a thread', async ({ deployment }) => {
  await deployment.thread()
})

test('a check without a failed assertion passes, and has no evidence', async () => {
  const url = await serve((_, response) => response.end('{"thread_id":"t"}'))
  const [decision] = await decide(makesThread, { url })
  expect(decision).toMatchObject({ row: 'thread.create.fresh-id', endpoint: 'open', verdict: 'pass' })
  expect(decision).not.toHaveProperty('evidence')
})

test('a failed assertion shows the expected and the received value, and how to repeat the request', async () => {
  const url = await serve((_, response) => response.end('{"status":"busy"}'))
  const idle = check('thread.fields.status.default', 'a new thread is idle', async ({ deployment, verify }) => {
    const { json } = await deployment.http.send({ method: 'POST', path: '/threads', body: {} })
    verify(false, 'the status of a new thread', '"idle"', json)
  })
  const [decision] = await decide(idle, { url })
  expect(decision?.failure).toEqual({
    message: 'the status of a new thread',
    expected: '"idle"',
    received: '{"status":"busy"}',
  })
  expect(decision?.evidence?.exchanges[0]?.curl).toBe(
    `curl -sS -i -X POST '${url}/threads' -H 'content-type: application/json' --data-binary '{}'`,
  )
})

test('neither evidence nor curl command contain secrets, not even the token of a bearer header', async () => {
  const url = await serve((request, response) => response.end(`you sent ${request.headers.authorization}`))
  const headers = { authorization: 'Bearer s3cr3t-token' }
  const leaky = check('thread.create.answers-json', 'a leak', async ({ deployment, verify }) => {
    const path = '/threads?token=s3cr3t-token'
    const { text } = await deployment.http.send({ method: 'POST', path, body: { token: 's3cr3t-token' } })
    verify(false, 'the body', 'JSON', text.length)
  })
  const [decision] = await decide(leaky, { url, headers })
  expect(JSON.stringify(decision)).not.toContain('s3cr3t')
  const [exchange] = decision?.evidence?.exchanges ?? []
  expect(exchange?.requestHeaders['authorization']).toBe('[redacted]')
  expect(exchange?.responseBody).toBe('you sent [redacted]')
  expect(exchange?.curl).toContain('-H "authorization: $TOUCHSTONE_OPEN_AUTHORIZATION"')
})

test('a secret in a body is an environment variable of the curl command, which runs in a shell', async () => {
  const url = await serve((_, response) => response.end('{}'))
  const leaky = check('thread.create.answers-json', 'a body', async ({ deployment, verify }) => {
    await deployment.http.send({ method: 'POST', path: '/threads', body: { text: "it's", key: 's3cr3t-key', $n: 1 } })
    verify(false, 'the body', 'JSON', 'none')
  })
  const [decision] = await decide(leaky, { url, headers: { 'x-key': 's3cr3t-key' } })
  const [exchange] = decision?.evidence?.exchanges ?? []
  expect(JSON.stringify(decision)).not.toContain('s3cr3t')
  const body = exchange?.curl.split('--data-binary ')[1] ?? ''
  const env = { ...process.env, TOUCHSTONE_OPEN_X_KEY: 's3cr3t-key' }
  const { stdout } = await promisify(execFile)('bash', ['-c', `printf %s ${body}`], { env })
  expect(JSON.parse(stdout)).toEqual({ text: "it's", key: 's3cr3t-key', $n: 1 })
})

test('waits for Retry-After of a 429 response, which never decides a verdict', async () => {
  let requests = 0
  const url = await serve((_, response) => {
    requests += 1
    if (requests < 3) response.writeHead(429, { 'retry-after': '0' })
    response.end('{"thread_id":"t"}')
  })
  const [decision] = await decide(makesThread, { url })
  expect(decision?.verdict).toBe('pass')
  expect(requests).toBe(3)
})

test('waits for a date in Retry-After', async () => {
  let requests = 0
  const url = await serve((_, response) => {
    requests += 1
    if (requests === 1) response.writeHead(429, { 'retry-after': new Date(Date.now() - 1000).toUTCString() })
    response.end('{"thread_id":"t"}')
  })
  const [decision] = await decide(makesThread, { url })
  expect(decision?.verdict).toBe('pass')
})

test('a 429 response with a longer Retry-After than the budget makes a check inconclusive', async () => {
  const url = await serve((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
  const [decision] = await decide(makesThread, { url })
  expect(decision).toMatchObject({ verdict: 'inconclusive', unlock: expect.stringContaining('limits.exports') })
  expect(decision?.failure?.message).toContain('429 again, with 3600 s left to wait')
})

test('a broken connection fails the requirement and names the request', async () => {
  const url = await serve((request) => request.socket.destroy())
  const [decision] = await decide(makesThread, { url })
  expect(decision?.verdict).toBe('fail')
  expect(decision?.failure?.message).toMatch(/^no response to POST \/threads: /)
})

test('a lost tested request fails its requirement, which blocks the later ones', async () => {
  const url = await serve((request, response) =>
    request.url === '/threads' ? response.end('{"thread_id":"t"}') : request.socket.destroy(),
  )
  const rows = [
    'thread.create.answers-json',
    'run.create.answers-run',
    'run.create.fresh-id',
    'run.create.headers',
  ] as const
  const several = check(rows, 'several rows', async ({ deployment, decide }) => {
    await deployment.thread()
    await decide('thread.create.answers-json', () => undefined)
    await deployment.http.send({ method: 'POST', path: '/threads/t/runs', body: {} })
  })
  const decisions = await decide(several, { url })
  expect(decisions.map(({ row, verdict, blockedBy }) => [row, verdict, blockedBy])).toEqual([
    ['thread.create.answers-json', 'pass', undefined],
    ['run.create.answers-run', 'fail', undefined],
    ['run.create.fresh-id', 'blocked', 'run.create.answers-run'],
    ['run.create.headers', 'blocked', 'run.create.answers-run'],
  ])
  expect(decisions[1]?.evidence?.exchanges.at(-1)?.error).toContain('UND_ERR_SOCKET')
})

test('a response whose body breaks off fails the requirement and names the request', async () => {
  const url = await serve((request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"thread_id":', () => request.socket.destroy())
  })
  const [decision] = await decide(makesThread, { url })
  expect(decision?.verdict).toBe('fail')
  expect(decision?.failure?.message).toMatch(/^the response to POST \/threads was cut off: /)
})

test('an error that is not an assertion is an error in Touchstone', async () => {
  const url = await serve((_, response) => response.end('{}'))
  const broken = check('thread.create.answers-json', 'a broken check', async () => {
    throw new TypeError('cannot read the moon')
  })
  const [decision] = await decide(broken, { url })
  expect(decision?.verdict).toBe('error')
  expect(decision?.failure?.message).toContain('TypeError: cannot read the moon')
})

test('a requirement that its check does not decide is an error in Touchstone', async () => {
  const url = await serve((_, response) => response.end('{}'))
  const lazy = check(['thread.create.answers-json', 'thread.create.fresh-id'], 'a lazy check', async ({ decide }) => {
    await decide('thread.create.answers-json', () => {})
  })
  const decisions = await decide(lazy, { url })
  expect(decisions.map(({ row, verdict }) => [row, verdict])).toEqual([
    ['thread.create.answers-json', 'pass'],
    ['thread.create.fresh-id', 'error'],
  ])
})

test('a refused request fails the requirement that it is accepted', async () => {
  const url = await serve((_, response) => response.writeHead(500).end('out of threads'))
  const decisions = await decide(makesThread, { url })
  expect(decisions).toHaveLength(2)
  expect(decisions).toContainEqual(
    expect.objectContaining({
      row: 'thread.create.accepts-empty-object',
      verdict: 'fail',
      failure: expect.objectContaining({ expected: 'a 2xx response', received: '500 "out of threads"' }),
    }),
  )
  expect(decisions).toContainEqual(
    expect.objectContaining({
      row: 'thread.create.fresh-id',
      verdict: 'blocked',
      blockedBy: 'thread.create.accepts-empty-object',
    }),
  )
})

test('a negative check sends the valid request first, and is inconclusive if that is refused', async () => {
  const url = await serve((_, response) => response.writeHead(503).end())
  const refuses = check('thread.create.answers-json', 'a fault is refused', async ({ negative, verify }) => {
    const answer = await negative({ method: 'POST', path: '/threads', body: {} }, { body: 'no JSON' })
    verify(!answer.ok, 'a thread of no JSON', 'a refusal', answer.status)
  })
  const [decision] = await decide(refuses, { url })
  expect(decision).toMatchObject({
    verdict: 'inconclusive',
    failure: { message: 'expected a 2xx response to the valid request of this check, received 503' },
    unlock: 'fix the response to the valid request, which the check needs before it sends an invalid one',
  })
})

test('a missing user in the configuration makes a check inconclusive', async () => {
  const url = await serve((_, response) => response.end('{}'))
  const asBob = check('thread.create.answers-json', 'bob', async ({ as }) => {
    await as('bob').thread()
  })
  const [decision] = await decide(asBob, { url })
  expect(decision).toMatchObject({
    verdict: 'inconclusive',
    unlock: 'set endpoints.open.users.bob in the configuration',
  })
})

test('a requirement of another profile is not applicable', async () => {
  const url = await serve((_, response) => response.end('{}'))
  const optional = check('thread.create.answers-json', 'an option', async () => {
    throw new NotApplicable('the configuration names no such user')
  })
  const [decision] = await decide(optional, { url })
  expect(decision).toMatchObject({
    verdict: 'not-applicable',
    failure: { message: 'the configuration names no such user' },
  })
})

test('a failed SHOULD requirement is a warning', async () => {
  const url = await serve((_, response) => response.end('{}'))
  const advised = check('thread.fields.values.present', 'advice', async ({ verify }) => {
    verify(false, 'a new thread', 'values', 'none')
  })
  const [decision] = await decide(advised, { url })
  expect(decision?.verdict).toBe('warning')
})

test('evidence contains the requests that created its ids, also of other checks, and the first and last request of a poll', async () => {
  let reads = 0
  const url = await serve((request, response) => {
    const isRun = request.url?.endsWith('/runs/r-12345678')
    if (isRun) reads += 1
    const status = reads < 5 ? 'pending' : 'success'
    if (request.url === '/threads') response.end('{"thread_id":"t-12345678"}')
    else response.end(JSON.stringify({ run_id: 'r-12345678', thread_id: 't-12345678', status }))
  })
  const session = openSession({ endpoints: { open: { url } } }, 'open', 'seed')
  closing.push(() => void session.close())
  const first = check('thread.create.fresh-id', 'makes a thread', async ({ deployment }) => {
    await session.once('thread', () => deployment.thread())
  })
  const second = check('run.status.ends', 'uses it', async ({ deployment, verify }) => {
    const threadId = await session.once('thread', () => deployment.thread())
    await deployment.settle(threadId, await deployment.startRun(threadId, { graph: 'echo' }))
    verify(false, 'the run', 'anything', 'else')
  })

  await runCheck(first, session)
  const [decision] = await runCheck(second, session)

  expect(reads).toBe(5)
  expect(decision?.evidence?.exchanges.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    'POST /threads',
    'POST /threads/t-12345678/runs',
    'GET /threads/t-12345678/runs/r-12345678',
    'GET /threads/t-12345678/runs/r-12345678',
  ])
})

test('a failure of shared work has its exchanges in the evidence of all waiting checks', async () => {
  const url = await serve((_, response) => response.end('{}'))
  const session = openSession({ endpoints: { open: { url } } }, 'open', 'seed')
  closing.push(() => void session.close())
  const waiting = (row: 'thread.create.fresh-id' | 'run.status.ends') =>
    check(row, `waits for ${row}`, async ({ deployment, session: shared, verify }) => {
      await shared.once('scene', async () => {
        await deployment.http.send({ method: 'GET', path: '/scene' })
        verify(false, 'the scene', 'a scene', 'none')
      })
    })

  const found = await Promise.all([
    runCheck(waiting('thread.create.fresh-id'), session),
    runCheck(waiting('run.status.ends'), session),
  ])

  const urls = found.flat().map(({ evidence }) => evidence?.exchanges.map((one) => one.url))
  expect(urls).toEqual([[`${url}/scene`], [`${url}/scene`]])
})

test('the durations of the requirements of a check add up to its duration', async () => {
  const url = await serve((_, response) => setTimeout(() => response.end('{}'), 100))
  const rows = ['thread.create.answers-json', 'thread.create.fresh-id', 'run.status.ends'] as const
  const slow = check(rows, 'a slow check', async ({ deployment, decide }) => {
    await deployment.http.send({ method: 'GET', path: '/' })
    for (const row of rows) await decide(row, () => undefined)
  })
  const [first, ...others] = await decide(slow, { url })
  expect(others.reduce((sum, { durationMs }) => sum + durationMs, 0)).toBeLessThan(first?.durationMs ?? 0)
})

test('a run that is aborted returns the decisions made until then, and no check starts or decides afterwards', async () => {
  const session = openSession({ endpoints: { open: { url: 'http://127.0.0.1:9' } } }, 'open', 'seed')
  closing.push(() => void session.close())
  const abort = new AbortController()
  const release = Promise.withResolvers<void>()
  const started: string[] = []
  const reported: Decision[] = []
  const step = (title: string, run: () => unknown) =>
    check('thread.create.fresh-id', title, async () => {
      started.push(title)
      await run()
    })
  const checks = [
    step('ends', () => undefined),
    step('aborts', () => abort.abort()),
    step('waits', () => release.promise),
    step('comes later', () => undefined),
  ]

  const onDecisions = (decisions: readonly Decision[]) => reported.push(...decisions)
  const decisions = await runChecks(checks, [session], 1, { onDecisions, signal: abort.signal })
  release.resolve()
  await new Promise((resolve) => setTimeout(resolve, 5))

  expect(decisions.map((decision) => decision.check)).toEqual(['ends'])
  expect(reported).toEqual(decisions)
  expect(started).toEqual(['ends', 'aborts'])
})

test('an error outside of a verdict is reported, and the other checks run', async () => {
  const session = openSession({ endpoints: { open: { url: 'http://127.0.0.1:9' } } }, 'open', 'seed')
  closing.push(() => void session.close())
  const fine = check('thread.create.fresh-id', 'fine', async () => undefined)
  const broken = { ...fine, title: 'broken', rows: Object.assign([...fine.rows], { filter: undefined }) }
  const errors: string[] = []

  const onError = (error: unknown, { title }: Check) => errors.push(`${title}: ${error}`)
  const decisions = await runChecks([broken as unknown as Check, fine], [session], 2, { onError })

  expect(decisions.map((decision) => decision.check)).toEqual(['fine'])
  expect(errors).toEqual(['broken: TypeError: check.rows.filter is not a function'])
})
