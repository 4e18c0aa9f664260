import { threadTable } from '../catalog/deployment/thread.ts'
import { furtherKeys } from '../harness/answer-shape.ts'
import { type Check, check } from '../harness/check.ts'
import { fieldCheck } from '../harness/field-check.ts'
import { at, show } from '../harness/json.ts'
import { updatedBeforeCreated } from '../harness/timestamps.ts'

export const threadChecks: readonly Check[] = [
  fieldCheck(threadTable, async ({ deployment }) => [
    { label: 'POST /threads', value: await deployment.createThread() },
  ]),

  check(
    ['thread.create.accepts-empty-object', 'thread.create.answers-json', 'thread.create.status-code'],
    'creates a thread from an empty object',
    async ({ deployment, decide, verify, observe }) => {
      const answer = await deployment.http.send({ method: 'POST', path: '/threads', body: {} })
      await decide('thread.create.accepts-empty-object', () => {
        verify(answer.ok, 'POST /threads with {}', 'a 2xx response', `${answer.status} ${answer.text}`)
      })
      await decide('thread.create.answers-json', () => {
        verify(answer.json !== undefined, 'the body of POST /threads', 'JSON', answer.text)
      })
      observe('thread.create.status-code', String(answer.status))
    },
  ),

  check('thread.create.fresh-id', 'creates threads with different ids', async ({ deployment, verify }) => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => deployment.thread()))
    verify(new Set(ids).size === ids.length, 'the ids of 8 new threads', '8 different ids', ids)
  }),

  check('thread.updated-not-before-created', 'compares the timestamps of a new thread', async (context) => {
    const thread = await context.deployment.createThread()
    context.verify(!updatedBeforeCreated(thread), 'updated_at of a new thread', 'a time not before created_at', thread)
  }),

  check(
    ['thread.status.other-values', 'thread.fields.further'],
    'observes additional fields of threads',
    async ({ deployment, observe }) => {
      const thread = await deployment.createThread()
      const known = threadTable.fields.map(({ name }) => name)
      observe('thread.fields.further', furtherKeys(thread, known))
      observe('thread.status.other-values', `${show(at(thread, 'status'))} on a new thread`)
    },
  ),
]
