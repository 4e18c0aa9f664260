import type { Har } from 'har-format'
import { expect, onTestFinished, test } from 'vitest'
import { createMockServer } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/clock.ts'
import { harSchema } from '../../fixtures/har-schema.ts'
import { clientOf, eventsOf, say } from '../../fixtures/mock-client.ts'

test('exports the journal as HTTP Archive 1.2', async () => {
  const clock = manualClock(Date.UTC(2026, 0, 1))
  const mock = createMockServer({ journal: true, clock, faults: [{ type: 'reset', route: 'GET /info' }] })
  onTestFinished(() => mock.close())
  const { thread, send } = clientOf(mock, { authorization: 'Bearer of-nobody-else' })
  const { thread_id } = await thread({ metadata: { topic: 'spring' } })
  const stream = await send('POST', `/threads/${thread_id}/runs/stream?a=1`, { assistant_id: 'echo', ...say('hi') })
  const { length } = await eventsOf(stream)
  await send('GET', '/info').catch(() => undefined)

  const isHar = harSchema()
  const har: Har = JSON.parse(mock.journal.har())
  expect(isHar(har), JSON.stringify(isHar.errors)).toBe(true)
  expect(har.log.entries).toMatchObject([
    {
      startedDateTime: '2026-01-01T00:00:00.000Z',
      request: { method: 'POST', url: 'http://mock/threads', postData: { text: '{"metadata":{"topic":"spring"}}' } },
      response: { status: 200, content: { mimeType: 'application/json', text: expect.stringContaining(thread_id) } },
    },
    {
      request: { queryString: [{ name: 'a', value: '1' }] },
      response: { content: { text: expect.stringMatching(/^event: metadata\ndata: \{/) } },
      _events: { length },
    },
    { comment: 'connection reset', response: { status: 0 } },
  ])
  expect(mock.journal.har()).not.toContain('of-nobody-else')
  expect(JSON.parse(mock.journal.har({ route: 'GET /info' })).log.entries).toHaveLength(1)
})

test('exports an empty journal as valid HAR', () => {
  const isHar = harSchema()
  expect(isHar(JSON.parse(createMockServer({ journal: true }).journal.har()))).toBe(true)
})
