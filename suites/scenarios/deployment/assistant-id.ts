import { uniqueConfig } from '../../harness/assistants.ts'
import { idOf } from '../../harness/id-of.ts'
import { type Scenario, scenario } from '../scenario.ts'

export const assistantIdScenarios: readonly Scenario[] = [
  scenario(
    ['assistant.id.create-accepts', 'assistant.name.create-accepts', 'assistant.name.run-carries-uuid'],
    'creates runs by assistant id and by graph name',
    async ({ deployment, session }) => {
      const created = await deployment.createAssistant(session.graph('any'), { config: uniqueConfig() })
      const assistantId = idOf(created, 'assistant_id')
      const requests = [{ assistantId, text: 'by id' } as const, { graph: 'any', text: 'by name' } as const]
      // One that is refused must not keep the other from being recorded.
      const results = await Promise.allSettled(requests.map((request) => deployment.runToEnd(request)))
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
  ),
]
