import { readDefaultAssistants } from '../../harness/assistants.ts'
import { type Scenario, scenario } from '../scenario.ts'

export const assistantDefaultScenarios: readonly Scenario[] = [
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
      await deployment.runToEnd({ graph: 'any', text: 'run by name' })
      if (assistantId !== undefined) await deployment.runToEnd({ assistantId, text: 'run by default' })
    },
  ),
]
