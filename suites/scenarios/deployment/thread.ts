import { setTimeout } from 'node:timers/promises'
import { threadTable } from '../../catalog/deployment/thread.ts'
import { fieldIds } from '../../catalog/fields.ts'
import { furtherKeys, responseShape } from '../../harness/response-shape.ts'
import { at, show } from '../../values/json.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'

const list = { method: 'GET', path: '/threads' } as const

export const threadScenarios: readonly Scenario[] = [
  scenario(
    [
      ...fieldIds(threadTable),
      'thread.create.accepts-empty-object',
      'thread.create.answers-json',
      'thread.create.fresh-id',
      'thread.updated-not-before-created',
    ],
    'creates threads',
    async ({ deployment }) => {
      await Promise.all(Array.from({ length: 8 }, () => deployment.thread()))
    },
  ),

  scenario(
    ['thread.times-current', 'run.times-current', 'state.time-current'],
    'creates two threads with runs, more than a second apart',
    async ({ deployment }) => {
      const run = async () => {
        const { threadId } = await deployment.runToEnd({ graph: 'any', text: 'one of two' })
        await deployment.state(threadId)
      }
      await run()
      await setTimeout(1.5 * settlingMs)
      await run()
    },
  ),

  probe(
    ['thread.create.status-code', 'thread.status.other-values', 'thread.fields.further'],
    'observes new threads',
    async ({ deployment, observe }) => {
      const { status, json: thread } = await deployment.http.send({ method: 'POST', path: '/threads', body: {} })
      observe('thread.create.status-code', String(status))
      observe('thread.fields.further', furtherKeys(thread, [threadTable]))
      observe('thread.status.other-values', `${show(at(thread, 'status'))} on a new thread`)
    },
  ),

  scenario(['thread.list.accepts-credentials'], 'lists threads with credentials', async ({ deployment }) => {
    await deployment.thread()
    await deployment.http.send(list)
  }),

  probe(
    ['thread.list.shape', 'thread.list.filters'],
    'observes the list of threads',
    async ({ deployment, observe }) => {
      await deployment.thread()
      await deployment.thread()
      observe('thread.list.shape', responseShape(await deployment.http.send(list)))
      const filtered = await deployment.http.send({ method: 'GET', path: '/threads?limit=1' })
      const result = Array.isArray(filtered.json) && filtered.json.length === 1 ? 'one thread' : 'disregarded'
      observe('thread.list.filters', `limit=1: ${filtered.ok ? result : `refused: ${responseShape(filtered)}`}`)
    },
  ),
]
