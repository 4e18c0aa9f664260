import { assistantTable, createdAssistantTable, defaultAssistantTable } from '../catalog/deployment/assistant.ts'
import type { Subject } from '../catalog/fields.ts'
import { defaultAssistants, markedConfig } from '../harness/assistants.ts'
import type { Check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { fieldCheck } from '../harness/field-check.ts'
import { textAt } from '../harness/json.ts'

/** Created assistants as creation, search and the endpoint of one assistant show them. */
async function createdSubjects({ deployment, session }: CheckContext): Promise<readonly Subject[]> {
  const created = await deployment.createAssistant(session.graph('any'), { config: markedConfig() })
  const id = textAt(created, 'assistant_id')
  const path = `/assistants/${id}`
  const got = id === undefined ? [] : [{ label: `GET ${path}`, value: await deployment.getAssistant(id) }]
  return [{ label: 'POST /assistants', value: created }, ...got]
}

/** Assistants as the search shows them: a first page, whoever made them. */
async function searchedSubjects({ deployment }: CheckContext): Promise<readonly Subject[]> {
  const page = await deployment.searchAssistants({ limit: 10, offset: 0 })
  return page.map((value, index) => ({ label: `POST /assistants/search [${index}]`, value }))
}

/** Whether an answer is about the assistant that was asked for, as far as it tells. */
function isThat(id: string | undefined, assistant: unknown): boolean {
  return (textAt(assistant, 'assistant_id') ?? id) === id
}

async function defaultSubjects(context: CheckContext): Promise<readonly Subject[]> {
  const { deployment, session } = context
  // They stay as they are whatever is created beside them.
  await deployment.createAssistant(session.graph('any'), { config: markedConfig() })
  const found = await defaultAssistants(context)
  return found.flatMap(({ graph, id, listed, got }) => [
    ...(listed === undefined ? [] : [{ label: `the default assistant of ${graph} in the search`, value: listed }]),
    ...(got?.ok && isThat(id, got.json)
      ? [{ label: `GET of the default assistant of ${graph}`, value: got.json }]
      : []),
  ])
}

export const assistantFieldChecks: readonly Check[] = [
  fieldCheck(assistantTable, async (context) => [
    ...(await createdSubjects(context)),
    ...(await searchedSubjects(context)),
    ...(context.session.profile === 'open' ? await defaultSubjects(context) : []),
  ]),
  fieldCheck(createdAssistantTable, createdSubjects),
  fieldCheck(defaultAssistantTable, defaultSubjects),
]
