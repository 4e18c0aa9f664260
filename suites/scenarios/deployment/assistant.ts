import { assistantTable } from '../../catalog/deployment/assistant.ts'
import { uniqueConfig } from '../../harness/assistants.ts'
import { at, show } from '../../harness/json.ts'
import { furtherKeys, responseShape } from '../../harness/response-shape.ts'
import { probe, type Scenario } from '../scenario.ts'
import { assistantCreateScenarios } from './assistant-create.ts'
import { assistantDefaultScenarios } from './assistant-default.ts'
import { assistantFieldScenarios } from './assistant-fields.ts'
import { assistantGetScenarios } from './assistant-get.ts'
import { assistantIdScenarios } from './assistant-id.ts'
import { assistantSearchScenarios } from './assistant-search.ts'

export const assistantScenarios: readonly Scenario[] = [
  ...assistantFieldScenarios,
  ...assistantDefaultScenarios,
  ...assistantCreateScenarios,
  ...assistantSearchScenarios,
  ...assistantGetScenarios,
  ...assistantIdScenarios,

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
      const known = assistantTable.fields.map(({ name }) => name)
      observe('assistant.fields.further', furtherKeys(bare, known))
      observe('assistant.create.config-default', show(at(bare, 'config')))
      const body = { graph_id: 'touchstone-no-such-graph', config: uniqueConfig() }
      const response = await deployment.http.send({ method: 'POST', path: '/assistants', body })
      observe('assistant.create.unknown-graph', responseShape(response))
    },
  ),
]
