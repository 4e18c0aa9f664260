import { assistantTable, createdAssistantTable, defaultAssistantTable } from '../../catalog/deployment/assistant.ts'
import { unknownId } from '../../catalog/deployment/run-places.ts'
import { fieldIds } from '../../catalog/fields.ts'
import { readDefaultAssistants } from '../../harness/assistants.ts'
import type { DeploymentContext } from '../../harness/context.ts'
import { uniqueConfig } from '../../harness/deployment.ts'
import { furtherKeys, responseShape } from '../../harness/response-shape.ts'
import { at, show } from '../../values/json.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'
import { assistantCreateScenarios } from './assistant-create.ts'
import { assistantSearchScenarios } from './assistant-search.ts'

/** Creates an assistant, reads it, and lists a first page of all assistants. */
async function createAndRead({ deployment }: DeploymentContext): Promise<void> {
  await deployment.getAssistant(await deployment.assistant('any'))
  await deployment.searchAssistants({ limit: 10, offset: 0 })
}

export const assistantScenarios: readonly Scenario[] = [
  scenario(fieldIds(assistantTable, createdAssistantTable), 'creates and reads an assistant', createAndRead),
  // Default assistants stay as they are when clients create others.
  scenario(fieldIds(defaultAssistantTable), 'reads the default assistants', async (context) => {
    await createAndRead(context)
    await readDefaultAssistants(context)
  }),

  scenario(
    [
      'assistant.default.exists',
      'assistant.default.runs',
      'assistant.search.includes-default',
      'assistant.get.default',
      'assistant.name.run-of-default',
    ],
    'reads and runs the default assistants of all graphs',
    async (context) => {
      const { deployment } = context
      const [assistantId] = await readDefaultAssistants(context)
      // The name of the graph does not select the latest assistant of it.
      await deployment.createAssistant('any')
      await deployment.runToEnd({ graph: 'any', text: 'run by name' })
      if (assistantId !== undefined) await deployment.runToEnd({ assistantId, text: 'run by default' })
    },
  ),

  ...assistantCreateScenarios,
  ...assistantSearchScenarios,

  scenario(
    ['assistant.get.answers-assistant', 'assistant.get.that-assistant', 'assistant.get.as-created'],
    'reads two assistants by id',
    async ({ deployment }) => {
      const ids = [await deployment.assistant('any'), await deployment.assistant('any')]
      for (const id of ids) await deployment.getAssistant(id)
    },
  ),

  probe(
    ['assistant.get.unknown-id', 'assistant.get.malformed-id', 'assistant.get.graph-name'],
    'observes responses for unknown assistants',
    async ({ deployment, session, observe }) => {
      const ask = async (id: string) => {
        return responseShape(await deployment.http.send({ method: 'GET', path: `/assistants/${id}`, sendOnce: true }))
      }
      observe('assistant.get.unknown-id', await ask(unknownId))
      observe('assistant.get.malformed-id', await ask('no-uuid'))
      observe('assistant.get.graph-name', await ask(session.graph('any')))
    },
  ),

  scenario(
    ['assistant.id.create-accepts', 'assistant.name.create-accepts', 'assistant.name.run-carries-uuid'],
    'creates runs by assistant id and by graph name',
    async ({ deployment }) => {
      const assistantId = await deployment.assistant('any')
      const requests = [{ assistantId, text: 'by id' } as const, { graph: 'any', text: 'by name' } as const]
      // One that is refused must not keep the other from being recorded.
      const results = await Promise.allSettled(requests.map((request) => deployment.runToEnd(request)))
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
  ),

  probe(
    [
      'assistant.fields.further',
      'assistant.create.config-default',
      'assistant.create.unknown-graph',
      'assistant.create.status-code',
    ],
    'observes other behavior of assistants',
    async ({ deployment, session, observe }) => {
      const request = { method: 'POST', path: '/assistants', body: { graph_id: session.graph('any') } } as const
      const { status, json: bare } = await deployment.http.send(request)
      observe('assistant.create.status-code', String(status))
      observe('assistant.fields.further', furtherKeys(bare, [assistantTable]))
      observe('assistant.create.config-default', show(at(bare, 'config')))
      const body = { graph_id: 'touchstone-no-such-graph', config: uniqueConfig() }
      const response = await deployment.http.send({ method: 'POST', path: '/assistants', body })
      observe('assistant.create.unknown-graph', responseShape(response))
    },
  ),
]
