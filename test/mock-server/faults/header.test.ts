import { expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/manual-clock.ts'

const byHeader = (): MockServer => createMockServer({ faultsByHeader: true, clock: manualClock(0) })

function ok(mock: MockServer, fault: string, path = '/ok'): Promise<Response> {
  return mock.fetch(new Request(`http://mock${path}`, { headers: { 'x-touchstone-fault': fault } }))
}

test('the header means nothing unless it is switched on', async () => {
  expect((await ok(createMockServer(), 'status=503')).status).toBe(200)
})

test('a request names its fault', async () => {
  const mock = byHeader()
  expect((await ok(mock, 'status=503')).status).toBe(503)
  expect((await ok(mock, 'rate-limit=7')).headers.get('retry-after')).toBe('7')
  expect(await (await ok(mock, 'malformed-json')).text()).toBe('{"ok":')
  await expect(ok(mock, 'reset')).rejects.toThrow('fetch failed')
  expect((await mock.fetch(new Request('http://mock/ok'))).status).toBe(200)
})

test('several faults, with settings', async () => {
  const mock = byHeader()
  const answer = ok(mock, 'latency=60000, status=500; body=away')
  await mock.clock.advance(60_000)
  expect([(await answer).status, await (await answer).text()]).toEqual([500, 'away'])
})

test('a header that a client always sends counts its calls', async () => {
  const mock = byHeader()
  const sent = 'status=503; route=GET /ok; nth=2'
  const statuses: number[] = []
  for (const path of ['/ok', '/info', '/ok', '/ok']) statuses.push((await ok(mock, sent, path)).status)
  expect(statuses).toEqual([200, 200, 503, 200])
})

test.each([
  ['broken', 'Field "type": expected one of latency'],
  ['broken=1', 'Field "type": expected one of latency'],
  ['status', 'Field "status": expected number'],
  [
    'status=503; often',
    'The fault: unknown key "often"; expected none but type, status, body, headers, carriedOut, route',
  ],
  ['status=503; nth=two', 'Field "nth": expected number, received "two"'],
  ['status=503,', 'Field "type"'],
  ['cut=2;', 'expected a setting such as nth=2 behind each semicolon, received "cut=2;"'],
  ['status=503; route=GET /threds', 'such as GET /threads,'],
])('%j is refused in words', async (fault, words) => {
  const answer = await ok(byHeader(), fault)
  expect(answer.status).toBe(400)
  const { detail } = (await answer.json()) as { detail: string }
  expect(detail).toContain(words)
  expect(detail).toMatch(/^x-touchstone-fault: /)
})
