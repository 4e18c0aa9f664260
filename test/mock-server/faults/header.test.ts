import { expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/clock.ts'

const mockWithHeader = (): MockServer => createMockServer({ faultsByHeader: true, clock: manualClock(0) })

function ok(mock: MockServer, fault: string, path = '/ok'): Promise<Response> {
  return mock.fetch(new Request(`http://mock${path}`, { headers: { 'x-touchstone-fault': fault } }))
}

test('the header has no effect unless it is enabled', async () => {
  expect((await ok(createMockServer(), 'status=503')).status).toBe(200)
})

test('the header of a request sets its fault', async () => {
  const mock = mockWithHeader()
  expect((await ok(mock, 'status=503')).status).toBe(503)
  expect((await ok(mock, 'rate-limit=7')).headers.get('retry-after')).toBe('7')
  expect(await (await ok(mock, 'malformed-json')).text()).toBe('{"ok":')
  await expect(ok(mock, 'reset')).rejects.toThrow('fetch failed')
  expect((await mock.fetch(new Request('http://mock/ok'))).status).toBe(200)
})

test('the header can contain several faults with settings', async () => {
  const mock = mockWithHeader()
  const response = ok(mock, 'latency=60000, status=500; body=down')
  await mock.clock.advance(60_000)
  expect([(await response).status, await (await response).text()]).toEqual([500, 'down'])
})

test('counts calls of a header that the client sends with every request', async () => {
  const mock = mockWithHeader()
  const header = 'status=503; route=GET /ok; nth=2'
  const statuses: number[] = []
  for (const path of ['/ok', '/info', '/ok', '/ok']) statuses.push((await ok(mock, header, path)).status)
  expect(statuses).toEqual([200, 200, 503, 200])
})

test.each([
  ['broken', 'Field "type": expected one of latency'],
  ['broken=1', 'Field "type": expected one of latency'],
  ['status', 'Field "status": expected number'],
  ['status=503; often', 'The fault: unknown key "often"; expected only type, status, body, headers, carriedOut, route'],
  ['status=503; nth=two', 'Field "nth": expected number, received "two"'],
  ['status=503,', 'Field "type"'],
  ['cut=2;', 'expected a setting such as nth=2 after each semicolon, received "cut=2;"'],
  ['status=503; route=GET /threds', 'such as GET /threads,'],
])('rejects the header %j with a message', async (fault, message) => {
  const response = await ok(mockWithHeader(), fault)
  expect(response.status).toBe(400)
  const { detail } = (await response.json()) as { detail: string }
  expect(detail).toContain(message)
  expect(detail).toMatch(/^x-touchstone-fault: /)
})
