import { unknownId } from '../../catalog/deployment/run-places.ts'
import { uniqueConfig } from '../../harness/assistants.ts'
import { idOf } from '../../harness/id-of.ts'
import { responseShape } from '../../harness/response-shape.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'

export const assistantGetScenarios: readonly Scenario[] = [
  scenario(
    ['assistant.get.answers-assistant', 'assistant.get.that-assistant', 'assistant.get.as-created'],
    'reads two assistants by id',
    async ({ deployment, session }) => {
      const create = () => deployment.createAssistant(session.graph('any'), { config: uniqueConfig() })
      const assistants = [await create(), await create()]
      for (const assistant of assistants) await deployment.getAssistant(idOf(assistant, 'assistant_id'))
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
]
