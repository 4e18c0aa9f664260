import {
  assistantTable,
  createdAssistantTable,
  defaultAssistantTable,
  isDefaultAssistant,
} from '../../catalog/deployment/assistant.ts'
import { type DeploymentModel, keyOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { at, listAt } from '../../values/json.ts'
import { responsesTo } from '../common.ts'
import { type FieldSubject, fieldRule } from '../field-rule.ts'
import type { Rule } from '../rule.ts'

/** Every assistant in every response, except those that a probe or a fault created. */
export function* assistantsShown(model: DeploymentModel): Iterable<FieldSubject> {
  const shown = [
    ...responsesTo('POST /assistants')(model),
    ...responsesTo('GET /assistants/{assistant_id}')(model),
    ...model
      .of('POST /assistants/search')
      .flatMap((exchange) => listAt(exchange.json).map((value) => ({ exchange, value }))),
  ]
  for (const { exchange, value } of shown) {
    const creationOf = (id: unknown) => model.assistants.get(keyOf(id) ?? '')?.creation
    const creation = creationOf(at(value, 'assistant_id'))
    // A service may hide an assistant from other users with any response.
    const owner = creationOf(exchange.params['assistant_id'])?.user ?? exchange.user
    const isHidden = creation === undefined && owner !== exchange.user
    if (isHidden || (creation && creation.intent !== 'documented')) continue
    yield { exchange, value, setup: [creation] }
  }
}

function isCreated(model: DeploymentModel, { value, exchange }: FieldSubject): boolean {
  const id = keyOf(at(value, 'assistant_id')) ?? ''
  return exchange.operation === 'POST /assistants' || (model.assistants.has(id) && !model.defaultAssistants.has(id))
}

function isDefault(model: DeploymentModel, { value, exchange }: FieldSubject): boolean {
  if (exchange.operation === 'POST /assistants') return false
  return isDefaultAssistant(value) || model.defaultAssistants.has(keyOf(at(value, 'assistant_id')) ?? '')
}

export const assistantFieldRules: readonly Rule<DeploymentModel>[] = [
  fieldRule(assistantTable, assistantsShown),
  fieldRule(createdAssistantTable, (model: DeploymentModel) =>
    select(model, assistantsShown).filter((subject) => isCreated(model, subject)),
  ),
  fieldRule(defaultAssistantTable, (model: DeploymentModel) =>
    select(model, assistantsShown).filter((subject) => isDefault(model, subject)),
  ),
]
