import { updatedAiTable, updatedCallTable, updatedToolTable } from '../catalog/deployment/stream-fields.ts'
import { fieldIds } from '../catalog/fields.ts'
import { type Check, scenario } from '../harness/check.ts'

export const streamUpdateFieldChecks: readonly Check[] = [
  scenario(
    fieldIds(updatedAiTable, updatedCallTable, updatedToolTable),
    'streams the updates of echo and tools',
    async ({ deployment }) => {
      for (const graph of ['echo', 'tools'] as const) {
        await deployment.streamed(await deployment.thread(), { graph, text: 'updated', streamMode: ['updates'] })
      }
    },
  ),
]
