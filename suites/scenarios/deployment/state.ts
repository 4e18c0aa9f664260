import { setTimeout } from 'node:timers/promises'
import { stateMetadataTable, stateTable, stateValuesTable } from '../../catalog/deployment/state.ts'
import { isObject } from '../../catalog/facts.ts'
import { fieldIds } from '../../catalog/fields.ts'
import type { DeploymentContext } from '../../harness/context.ts'
import { NotApplicable } from '../../harness/errors.ts'
import { furtherKeys, responseShape } from '../../harness/response-shape.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { at, listAt, show } from '../../values/json.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'

/** More time than a server may need to finish its work after a run, in milliseconds. */
const pauseMs = 1.1 * settlingMs

/** Calls a function as the usual user and, with custom authentication, as a second one. */
async function eachUser(
  { deployment, as, session }: DeploymentContext,
  run: (client: DeploymentContext['deployment']) => Promise<void>,
): Promise<void> {
  await Promise.all([deployment, ...(session.endpoint.users ? [as('bob')] : [])].map(run))
}

export const stateScenarios: readonly Scenario[] = [
  scenario(
    fieldIds(stateTable, stateValuesTable, stateMetadataTable),
    'reads the state after two runs on a thread',
    async ({ deployment }) => {
      const { threadId } = await deployment.runToEnd({ graph: 'any', text: 'one step' })
      // A thread may be busy for a moment after a run.
      await deployment.runToEnd({ graph: 'any', text: 'another step', strategy: 'enqueue' }, threadId)
      await deployment.state(threadId)
    },
  ),

  scenario(
    ['state.metadata.run_id.same', 'state.metadata.graph_id.same', 'state.metadata.assistant_id.same'],
    'reads the state after runs of several assistants in turn',
    async ({ deployment, session }) => {
      const [one, other] = [await deployment.assistant('any'), await deployment.assistant('any')]
      const threadId = await deployment.thread()
      const turns = [one, other, 'any', one, 'chat'] as const
      for (const [index, named] of turns.entries()) {
        const assistantId = named === 'any' || named === 'chat' ? session.graph(named) : named
        await deployment.runToEnd({ assistantId, text: `turn ${index} of several`, strategy: 'enqueue' }, threadId)
        await deployment.state(threadId)
      }
    },
  ),

  scenario(
    [
      'state.get.answers-state',
      'state.get.that-thread',
      'state.get.latest',
      'state.metadata.writes.node-names',
      'state.checkpoint-id.changes',
      'state.parent-checkpoint-id.other',
    ],
    'reads the states of two threads in turn',
    async ({ deployment, attempt }) => {
      const texts = ['state of one', 'state of two']
      const threads = await Promise.all(texts.map(async (text) => (await deployment.runToEnd({ text })).threadId))
      const states = await Promise.all(threads.map((threadId) => deployment.state(threadId)))
      await attempt('state.metadata.writes.node-names', async () => {
        const written = states.map((state) => at(state, 'metadata', 'writes'))
        const isEmpty = (writes: unknown) =>
          isObject(writes) && Object.keys(writes).every((name) => name.startsWith('__'))
        // The latest checkpoint may be one that no node wrote.
        if (written.every(isEmpty)) throw new NotApplicable('`writes` of the states after runs shows no node')
      })
      const [, threadId = ''] = threads
      await deployment.runToEnd({ text: 'state of later', strategy: 'enqueue' }, threadId)
      await deployment.state(threadId)
      // The state of a thread without runs is unspecified, but it must not be that of another thread.
      await deployment.http.send({ method: 'GET', path: `/threads/${await deployment.thread()}/state` })
    },
  ),

  scenario(
    ['state.parent-checkpoint-id.own-thread'],
    'reads the state of a run during which another thread changed',
    async ({ deployment }) => {
      const threadId = await deployment.thread()
      const assistantId = await deployment.slowAssistant()
      const runId = await deployment.startRun(threadId, { assistantId, text: 'around another', strategy: 'enqueue' })
      const other = await deployment.runToEnd({ text: 'in between' })
      await deployment.state(other.threadId)
      await deployment.waitForEnd(threadId, runId)
      await deployment.state(threadId)
      // The first checkpoint has no parent.
      await deployment.runToEnd({ text: 'after both', strategy: 'enqueue' }, threadId)
      await deployment.state(threadId)
    },
  ),

  scenario(
    ['state.idle.messages', 'state.idle.checkpoint', 'thread.kept'],
    'reads the states of idle threads several times',
    (context) =>
      eachUser(context, async (client) => {
        const { threadId } = await client.runToEnd({ graph: 'any', text: 'what stays' })
        await client.state(threadId)
        // Nothing may happen in the meantime, so there is nothing to wait for.
        await setTimeout(pauseMs)
        for (const _ of [1, 2, 3]) await client.state(threadId)
        context.session.readLater(() => client.state(threadId))
      }),
  ),

  scenario(['message.kept'], 'reads the state again after a later run', (context) =>
    eachUser(context, async (client) => {
      const { threadId } = await client.runToEnd({ graph: 'tools', text: 'what stays' })
      await client.state(threadId)
      await client.runToEnd({ graph: 'echo', text: 'what comes later', strategy: 'enqueue' }, threadId)
      await client.state(threadId)
    }),
  ),

  probe(
    [
      'state.metadata.source.values',
      'state.metadata.created_by.value',
      'state.metadata.user_id.value',
      'state.metadata.further',
      'state.fields.further',
    ],
    'observes additional fields of states',
    async ({ deployment, observe }) => {
      const { threadId } = await deployment.runToEnd({ graph: 'any', text: 'what else' })
      const state = await deployment.state(threadId)
      const metadata = at(state, 'metadata')
      observe('state.metadata.source.values', `${show(at(metadata, 'source'))} after a run`)
      observe('state.metadata.created_by.value', show(at(metadata, 'created_by')))
      observe('state.metadata.user_id.value', show(at(metadata, 'user_id')))
      observe('state.metadata.further', furtherKeys(metadata, [stateMetadataTable]))
      observe('state.fields.further', furtherKeys(state, [stateTable]))
    },
  ),

  probe('state.never-run', 'observes the state of a thread without runs', async ({ deployment, observe }) => {
    const path = `/threads/${await deployment.thread()}/state`
    const response = await deployment.http.send({ method: 'GET', path })
    const fields = stateTable.fields.map(({ name }) => `${name} ${show(at(response.json, name))}`)
    observe('state.never-run', response.ok ? fields.join(', ') : `refused: ${responseShape(response)}`)
  }),

  probe(
    ['state.next.elements', 'state.tasks.elements'],
    'observes next and tasks while a node executes',
    async (context) => {
      const { deployment, observe } = context
      const attempt = async (ms: number) => {
        const threadId = await deployment.thread()
        const text = 'what is pending'
        const runId = await deployment.startRun(threadId, { assistantId: await deployment.slowAssistant(ms), text })
        await deployment.untilSleeping({ threadId, runId, text, ms })
        const state = await deployment.state(threadId)
        await deployment.waitForEnd(threadId, runId)
        return state
      }
      const state = await retryWithLongerSleep(context, attempt, (during) => listAt(during, 'next').length > 0)
      observe('state.next.elements', show(listAt(state, 'next')))
      const [task] = listAt(state, 'tasks')
      observe('state.tasks.elements', isObject(task) ? `objects with ${furtherKeys(task, [])}` : show(task))
    },
  ),
]
