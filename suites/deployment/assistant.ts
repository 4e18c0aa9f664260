import { assistantTable } from '../catalog/deployment/assistant.ts'
import { answerShape, furtherKeys } from '../harness/answer-shape.ts'
import { markedConfig } from '../harness/assistants.ts'
import { type Check, check } from '../harness/check.ts'
import { at, show } from '../harness/json.ts'
import { assistantCreateChecks } from './assistant-create.ts'
import { assistantDefaultChecks } from './assistant-default.ts'
import { assistantFieldChecks } from './assistant-fields.ts'
import { assistantGetChecks } from './assistant-get.ts'
import { assistantIdChecks } from './assistant-id.ts'
import { assistantSearchChecks } from './assistant-search.ts'

export const assistantChecks: readonly Check[] = [
  ...assistantFieldChecks,
  ...assistantDefaultChecks,
  ...assistantCreateChecks,
  ...assistantSearchChecks,
  ...assistantGetChecks,
  ...assistantIdChecks,

  check(
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
      const body = { graph_id: 'touchstone-no-such-graph', config: markedConfig() }
      const answer = await deployment.http.send({ method: 'POST', path: '/assistants', body })
      observe('assistant.create.unknown-graph', answerShape(answer))
    },
  ),
]
