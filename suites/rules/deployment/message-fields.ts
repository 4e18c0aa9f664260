import {
  aiTable,
  callingTable,
  humanTable,
  plainTable,
  toolCallTable,
  toolTable,
} from '../../catalog/deployment/message-fields.ts'
import type { FieldTable } from '../../catalog/fields.ts'
import { type DeploymentModel, threadStates } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { hasTestGraphs } from '../../model/graphs.ts'
import { type StoredMessage, storedMessages } from '../../model/messages.ts'
import { listAt } from '../../values/json.ts'
import { fieldRule } from '../field-rule.ts'
import type { Rule, Subject } from '../rule.ts'

/**
 * Stored messages in the states of threads whose runs are known. Only input messages if the graph is not a test graph: what
 * such a graph writes into its messages is unknown.
 */
function* messages(model: DeploymentModel): Iterable<StoredMessage & Subject> {
  const isKnown = hasTestGraphs(model)
  for (const { exchange, thread } of select(model, threadStates)) {
    if (thread.hasUnknownEffects) continue
    const setup = [thread.creation, ...thread.runCreations.filter(({ sentAt }) => sentAt < exchange.sentAt)]
    for (const stored of storedMessages(thread, exchange.json)) {
      if (isKnown || stored.type === 'human') yield { ...stored, exchange, setup }
    }
  }
}

function messageRule(
  table: FieldTable,
  where: (message: StoredMessage) => boolean,
  values: (message: StoredMessage) => readonly unknown[] = ({ message }) => [message],
): Rule<DeploymentModel> {
  return fieldRule(table, (model: DeploymentModel) =>
    select(model, messages)
      .filter(where)
      .flatMap((stored) => {
        const { exchange, setup = [], call: root } = stored
        return values(stored).map((value) => ({ exchange, setup, value, root }))
      }),
  )
}

export const messageFieldRules: readonly Rule<DeploymentModel>[] = [
  messageRule(humanTable, ({ type }) => type === 'human'),
  messageRule(aiTable, ({ type }) => type === 'ai'),
  messageRule(plainTable, ({ type, calls }) => type === 'ai' && !calls),
  messageRule(callingTable, ({ calls }) => calls),
  messageRule(
    toolCallTable,
    ({ calls }) => calls,
    ({ message }) => listAt(message, 'tool_calls'),
  ),
  messageRule(toolTable, ({ type }) => type === 'tool'),
]
