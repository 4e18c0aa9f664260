import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clientRequirements } from '../../../mock-server/client/requirements.ts'
import { createMockServer, type MockServer, type MockServerOptions } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/clock.ts'
import { reportSchema } from '../../../reporters/model/report.ts'
import { clientOf, say } from '../../fixtures/mock-client.ts'
import { clientMutants } from './mutants.ts'
import { goodHabits, type Habits, type Tour, use } from './small-client.ts'

const tours: readonly Tour[] = ['deployment', 'refusals', 'outages', 'polling', 'streams', 'exports']

function serverWithFaults(options: MockServerOptions = {}): MockServer {
  const mock = createMockServer({
    journal: true,
    export: { bucket: 'memory' },
    faults: [
      { type: 'rate-limit', route: 'GET /threads/{thread_id}/state', first: 1 },
      { type: 'status', status: 503, route: 'GET /threads/{thread_id}/runs', first: 8 },
      { type: 'reset', after: 2, route: 'POST /threads/{thread_id}/runs/stream', first: 1 },
    ],
    ...options,
  })
  onTestFinished(() => mock.close())
  return mock
}

/** Returns the requirements that a client fails, with the received values. */
async function failuresOf(tour: Tour, habits: Partial<Habits>): Promise<Record<string, string | undefined>> {
  const mock = serverWithFaults(['deployment', 'polling'].includes(tour) ? { faults: [] } : {})
  await use(tour, mock, { ...goodHabits, ...habits }).catch(() => undefined)
  await mock.journal.waitFor({}, { until: 'ended', count: mock.journal.calls().length })
  const { requirements } = await mock.clientReport()
  const failed = requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warning')
  return Object.fromEntries(failed.map(({ id, outcomes }) => [id, outcomes[0]?.failure?.received]))
}

test.each(tours)('a client without defects is conformant: %s', async (tour) => {
  expect(await failuresOf(tour, {})).toEqual({})
})

test.each(clientMutants)('$fails: a client that $name', async ({ fails, tour, habits }) => {
  expect(Object.keys(await failuresOf(tour, habits))).toContain(fails)
})

test('every requirement that the journal decides has a mutant', () => {
  const decided = clientRequirements.filter(({ level, server }) => level !== 'UNSPECIFIED' && server === undefined)
  const killed = new Set(clientMutants.map(({ fails }) => fails))
  expect(decided.map(({ id }) => id).filter((id) => !killed.has(id))).toEqual([])
})

test('the table in docs/reference/client-requirements.md is current; `vitest --update` writes it', async () => {
  const rows = clientRequirements.map(({ id, level, statement, decided }) =>
    [`\`${id}\``, level, statement, decided].join(' | '),
  )
  const head = ['Id | Level | Requirement | Decided by', '--- | --- | --- | ---']
  const table = [...head, ...rows].map((row) => `| ${row} |\n`).join('')
  const file = join(import.meta.dirname, '../../../docs/reference/client-requirements.md')
  const page = (await readFile(file, 'utf8')).replace(/(^\|.*\n)+/m, table)
  await expect(page).toMatchFileSnapshot(file)
})

test('the ids of requirements are unique', () => {
  const ids = clientRequirements.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the report is a report of Touchstone, with the request that decided a failure', async () => {
  const mock = createMockServer({ journal: true })
  const { thread, send } = clientOf(mock)
  const { thread_id } = await thread()
  await send('POST', `/threads/${thread_id}/runs`, {
    assistant_id: 'echo',
    ...say('Hi'),
    multitask_strategy: 'rollback',
  })
  const report = reportSchema.parse(await mock.clientReport())
  expect(report.verdict).toMatchObject({ result: 'non-conformant', sentence: expect.stringContaining('1 of') })
  expect(report.requirements.find(({ id }) => id === 'client.run.multitask_strategy')).toMatchObject({
    verdict: 'fail',
    outcomes: [
      {
        endpoint: 'client',
        exercised: 1,
        failure: { expected: 'multitask_strategy: "reject" or "enqueue" or "interrupt"', received: '"rollback"' },
        evidence: { exchanges: [{ method: 'POST', url: `http://mock/threads/${thread_id}/runs` }] },
      },
    ],
  })
})

test('what the client did not do is not applicable', async () => {
  const mock = createMockServer({ journal: true })
  await clientOf(mock).thread()
  const { requirements } = await mock.clientReport()
  expect(requirements.find(({ id }) => id === 'client.stream.read-to-end')).toMatchObject({
    verdict: 'not-applicable',
    reason: 'The client sent no request to which it applies.',
  })
})

test('pauses are not evaluated with a clock of the test', async () => {
  const mock = createMockServer({ journal: true, clock: manualClock(0) })
  const { get } = clientOf(mock)
  for (let poll = 0; poll < 20; poll++) await get('/ok')
  const { requirements } = await mock.clientReport()
  expect(requirements.find(({ id }) => id === 'client.poll.pause')).toMatchObject({
    verdict: 'not-applicable',
    reason: 'The clock of the mock server does not show real time.',
  })
})

test('concurrent requests are not repetitions of each other', async () => {
  const route = 'GET /threads/{thread_id}/state'
  const latency = { type: 'latency', ms: 100, route } as const
  const refusal = { type: 'rate-limit', retryAfter: 60, route, first: 3 } as const
  for (const [count, faults] of [[3, [latency, refusal]] as const, [20, [latency]] as const]) {
    const mock = createMockServer({ journal: true, faults })
    const { thread, send } = clientOf(mock)
    const { thread_id } = await thread()
    await Promise.all(Array.from({ length: count }, () => send('GET', `/threads/${thread_id}/state`)))
    const { requirements } = await mock.clientReport()
    const pauses = requirements.filter(({ id }) => /^client\.(retry|poll)/.test(id))
    expect(new Set(pauses.map(({ verdict }) => verdict))).toEqual(new Set(['not-applicable']))
  }
})

test('endpoints that the specification does not show are observed', async () => {
  const mock = createMockServer({ journal: true })
  await clientOf(mock).get('/ok')
  const { requirements } = await mock.clientReport()
  expect(requirements.find(({ id }) => id === 'client.request.undocumented')).toMatchObject({
    verdict: 'observed',
    outcomes: [{ observation: 'GET /ok' }],
  })
})

test('a report needs a journal', async () => {
  await expect(createMockServer().clientReport()).rejects.toThrow('create the server with journal: true')
})
