import { stateMetadataTable, stateTable } from '../../catalog/deployment/state.ts'
import type { FieldTable } from '../../catalog/fields.ts'
import { furtherKeys, responseShape } from '../../harness/response-shape.ts'
import { at, show } from '../../values/json.ts'
import { probe, type Scenario } from '../scenario.ts'

const namesOf = ({ fields }: FieldTable): readonly string[] => fields.map(({ name }) => name)

export const unspecifiedStateScenarios: readonly Scenario[] = [
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
      observe('state.metadata.further', furtherKeys(metadata, namesOf(stateMetadataTable)))
      observe('state.fields.further', furtherKeys(state, namesOf(stateTable)))
    },
  ),

  probe('state.never-run', 'observes the state of a thread without runs', async ({ deployment, observe }) => {
    const path = `/threads/${await deployment.thread()}/state`
    const response = await deployment.http.send({ method: 'GET', path })
    const fields = namesOf(stateTable).map((name) => `${name} ${show(at(response.json, name))}`)
    observe('state.never-run', response.ok ? fields.join(', ') : `refused: ${responseShape(response)}`)
  }),
]
