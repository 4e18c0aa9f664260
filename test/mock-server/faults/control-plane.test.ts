import { expect, test } from 'vitest'
import { createMockServer } from '../../../mock-server/index.ts'
import { controlClient } from '../../fixtures/control-client.ts'

const controlled = () => controlClient(createMockServer()).call

test('adds faults, lists them with their counts and removes them', async () => {
  const call = controlled()
  const fault = { type: 'status', status: 503, route: 'GET /ok', first: 1 }
  expect(await call('POST', '/__touchstone/faults', fault)).toEqual({ status: 200, body: { ids: ['1'] } })
  expect((await call('GET', '/ok')).status).toBe(503)
  expect((await call('GET', '/ok')).status).toBe(200)
  expect((await call('GET', '/__touchstone/faults')).body).toEqual({ faults: [{ id: '1', fault, calls: 2, hits: 1 }] })

  const several = { faults: [{ type: 'rate-limit' }, { type: 'reset', route: 'POST /threads' }] }
  expect((await call('POST', '/__touchstone/faults', several)).body).toEqual({ ids: ['2', '3'] })
  expect((await call('GET', '/ok')).status).toBe(429)
  expect((await call('DELETE', '/__touchstone/faults/2')).status).toBe(200)
  expect((await call('GET', '/ok')).status).toBe(200)
  await call('DELETE', '/__touchstone/faults')
  expect((await call('GET', '/__touchstone/faults')).body).toEqual({ faults: [] })
})

test('faults do not affect the control plane', async () => {
  const call = controlled()
  await call('POST', '/__touchstone/faults', { type: 'status', status: 503 })
  expect((await call('GET', '/__touchstone/clock')).status).toBe(200)
})

test.each([
  ['POST', '/__touchstone/faults', { type: 'timeout' }, 'Field "type": expected one of latency'],
  ['POST', '/__touchstone/faults', { faults: [{ type: 'reset' }, {}] }, 'Field "faults.1.type"'],
  ['POST', '/__touchstone/faults', { type: 'reset', route: 'FETCH /threads' }, 'such as GET /threads, POST /threads'],
  ['DELETE', '/__touchstone/faults/7', undefined, 'There is no fault "7"'],
])('%s %s rejects %j with a message and changes nothing', async (method, path, body, message) => {
  const call = controlled()
  const response = await call(method, path, body)
  expect(response).toEqual({ status: expect.any(Number), body: { detail: expect.stringContaining(message) } })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect((await call('GET', '/__touchstone/faults')).body).toEqual({ faults: [] })
})
