import { assistantTable, createdAssistantTable, defaultAssistantTable } from '../../catalog/deployment/assistant.ts'
import { fieldIds } from '../../catalog/fields.ts'
import { readDefaultAssistants, uniqueConfig } from '../../harness/assistants.ts'
import type { DeploymentContext } from '../../harness/context.ts'
import { idOf } from '../../harness/id-of.ts'
import { type Scenario, scenario } from '../scenario.ts'

/** Creates an assistant, reads it, and lists a first page of all assistants. */
async function createAndRead({ deployment, session }: DeploymentContext): Promise<void> {
  const created = await deployment.createAssistant(session.graph('any'), { config: uniqueConfig() })
  await deployment.getAssistant(idOf(created, 'assistant_id'))
  await deployment.searchAssistants({ limit: 10, offset: 0 })
}

export const assistantFieldScenarios: readonly Scenario[] = [
  scenario(fieldIds(assistantTable, createdAssistantTable), 'creates and reads an assistant', createAndRead),
  // Default assistants stay as they are when clients create others.
  scenario(fieldIds(defaultAssistantTable), 'reads the default assistants', async (context) => {
    await createAndRead(context)
    await readDefaultAssistants(context)
  }),
]
