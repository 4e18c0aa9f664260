import { stateMetadataTable, stateTable, stateValuesTable } from '../catalog/deployment/state.ts'
import { isObject } from '../catalog/facts.ts'
import { fieldIds } from '../catalog/fields.ts'
import { furtherKeys } from '../harness/answer-shape.ts'
import { type Check, check, scenario } from '../harness/check.ts'
import { Blocked } from '../harness/errors.ts'
import { idOf } from '../harness/id-of.ts'
import { at, listAt, show } from '../harness/json.ts'
import { messagesOf, textsOf } from '../harness/messages.ts'
import { excuseGraph } from '../harness/unknown-graph.ts'
import { whileAsleep } from './multitask-scene.ts'
import { stateOpenChecks } from './state-open.ts'

export const stateChecks: readonly Check[] = [
  scenario(
    fieldIds(stateTable, stateValuesTable, stateMetadataTable),
    'reads the state after two runs on a thread',
    async ({ deployment, session }) => {
      const { threadId } = await deployment.ended({ graph: 'any', text: 'one step' })
      await deployment.settle(threadId, await deployment.startRun(threadId, { graph: 'any', text: 'another step' }))
      const state = await deployment.state(threadId)
      if (listAt(state, 'next').length > 0) excuseGraph(session, 'does not run to its end')
      if (at(state, 'values', 'messages') === undefined) excuseGraph(session, 'keeps no messages in its state')
    },
  ),

  check('state.metadata.writes.node-names', 'reads writes by node name', async ({ deployment, verify }) => {
    const { threadId } = await deployment.ended({ graph: 'echo', text: 'who writes' })
    const metadata = at(await deployment.state(threadId), 'metadata')
    const writes = at(metadata, 'writes')
    if (!isObject(writes)) {
      const kind = isObject(metadata) && 'writes' in metadata ? 'type' : 'present'
      throw new Blocked(`state.metadata.writes.${kind}`, `writes is ${show(writes)}`)
    }
    const names = Object.keys(writes).filter((name) => !name.startsWith('__'))
    const right = names.length > 0 && names.every((name) => name === 'first' || name === 'second')
    verify(right, 'the keys of writes after a run of the graph echo', 'nodes of the graph: first, second', names)
  }),

  check(
    ['state.get.answers-state', 'state.get.that-thread', 'state.get.latest'],
    'reads the latest state of threads',
    async ({ deployment, decide, verify }) => {
      const texts = ['state of one', 'state of two']
      const threads = await Promise.all(texts.map(async (text) => (await deployment.ended({ text })).threadId))
      const [first = '', second = ''] = threads
      await decide('state.get.answers-state', async () => {
        const state = await deployment.state(first)
        verify(isObject(state), 'GET /threads/{thread_id}/state', 'an object', state)
      })
      const textsOn = async (threadId: string) => {
        const state = await deployment.state(threadId)
        return messagesOf(state).length > 0 ? textsOf(state) : []
      }
      await decide('state.get.that-thread', async () => {
        const seen = await Promise.all(threads.map(textsOn))
        const strange = seen.flatMap((list, index) => list.filter((text) => !text.includes(texts[index] ?? '')))
        verify(strange.length === 0, 'messages in the states of two threads', 'each its own', strange)
      })
      await decide('state.get.latest', async () => {
        const runId = idOf(await deployment.createRun(second, { text: 'state of later' }), 'run.fields.run_id')
        await deployment.settle(second, runId)
        const seen = await textsOn(second)
        verify(seen.includes('second: state of later'), 'the state after a second run', 'its last message', seen)
      })
    },
  ),

  ...stateOpenChecks,

  check(
    ['state.next.elements', 'state.tasks.elements'],
    'observes next and tasks while a node executes',
    async (context) => {
      const { deployment, observe } = context
      const look = async (ms: number) => {
        const threadId = await deployment.thread()
        const text = 'what is pending'
        const runId = await deployment.startRun(threadId, { assistantId: await deployment.slow(ms), text })
        await deployment.untilSleeping(threadId, runId, text)
        const state = await deployment.state(threadId)
        await deployment.settle(threadId, runId)
        return state
      }
      const state = await whileAsleep(context, look, (seen) => listAt(seen, 'next').length > 0)
      observe('state.next.elements', show(listAt(state, 'next')))
      const [task] = listAt(state, 'tasks')
      observe('state.tasks.elements', isObject(task) ? `objects with ${furtherKeys(task, [])}` : show(task))
    },
  ),
]
