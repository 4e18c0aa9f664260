import { type Check, check } from '../harness/check.ts'
import { at, show } from '../harness/json.ts'

const list = { method: 'GET', path: '/threads' } as const

export const threadListChecks: readonly Check[] = [
  check('thread.list.accepts-credentials', 'the list of threads with credentials', async ({ deployment, verify }) => {
    // Credentials that are refused everywhere are not the matter of this row.
    await deployment.thread()
    const answer = await deployment.http.send(list)
    const authorized = answer.status !== 401 && answer.status !== 403
    verify(authorized, 'GET /threads with credentials', 'neither 401 nor 403', `${answer.status} ${answer.text}`)
  }),

  check(
    ['thread.list.shape', 'thread.list.filters'],
    'what the list of threads answers',
    async ({ deployment, observe }) => {
      await deployment.thread()
      const { status, json } = await deployment.http.send(list)
      const keys = Array.isArray(json)
        ? `an array of objects with ${show(Object.keys(Object(at(json, 0))))}`
        : show(json, 200)
      observe('thread.list.shape', `${status}, ${keys}`)
      const filtered = await deployment.http.send({ method: 'GET', path: '/threads?limit=1' })
      const length = Array.isArray(filtered.json) ? `${filtered.json.length} elements` : 'no array'
      observe('thread.list.filters', `?limit=1: ${filtered.status}, ${length}`)
    },
  ),
]
