import {
  aiTable,
  callingTable,
  humanTable,
  plainTable,
  toolCallTable,
  toolTable,
} from '../../catalog/deployment/message-fields.ts'
import { fieldIds } from '../../catalog/fields.ts'
import { type Scenario, scenario } from '../scenario.ts'

export const messageFieldScenarios: readonly Scenario[] = [
  scenario(fieldIds(humanTable), 'reads a stored input message', async ({ deployment }) => {
    const { threadId } = await deployment.runToEnd({ graph: 'any', text: 'an input' })
    await deployment.state(threadId)
  }),
  scenario(
    [
      ...fieldIds(aiTable, plainTable, callingTable, toolCallTable, toolTable),
      'message.tool_call.as-called',
      'message.ai.usage_metadata.as-given',
    ],
    'reads the stored messages of echo and tools',
    async ({ deployment }) => {
      for (const graph of ['echo', 'tools'] as const) {
        const { threadId } = await deployment.runToEnd({ graph, text: 'fields' })
        await deployment.state(threadId)
      }
    },
  ),
]
