import { expect, test } from 'vitest'
import { createDeployment } from '../../suites/harness/deployment.ts'
import type { Http } from '../../suites/harness/http.ts'
import { initialProgress } from '../../suites/harness/progress.ts'
import type { Session } from '../../suites/harness/session.ts'

test('remembers the size of pages that a search accepts', async () => {
  expect(await limitsSent((limit) => limit > 10, [100, 100, 2])).toEqual([100, 50, 25, 12, 6, 6, 2])
})

test('keeps large pages after the refusal of a small one', async () => {
  const refusals = [2]
  expect(await limitsSent((limit) => refusals[0] === limit && refusals.pop() === limit, [2, 100])).toEqual([2, 1, 100])
})

/** Returns the limits of all requests that searches with some limits send to a server that refuses some. */
async function limitsSent(isRefused: (limit: number) => boolean, searches: readonly number[]) {
  const sent: number[] = []
  const send = async ({ body }: { body: { limit: number } }) => {
    sent.push(body.limit)
    return isRefused(body.limit) ? { ok: false, status: 400 } : { ok: true, status: 200, json: [] }
  }
  const deployment = createDeployment({ send } as unknown as Http, { progress: initialProgress() } as Session)
  for (const limit of searches) await deployment.searchAssistants({ limit, offset: 0 })
  return sent
}
