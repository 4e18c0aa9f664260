import { responseShape } from '../../harness/response-shape.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'

const list = { method: 'GET', path: '/threads' } as const

export const threadListScenarios: readonly Scenario[] = [
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
