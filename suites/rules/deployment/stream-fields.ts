import {
  metadataEventTable,
  updatedAiTable,
  updatedCallTable,
  updatedPlainTable,
  updatedToolTable,
} from '../../catalog/deployment/stream-fields.ts'
import type { FieldTable } from '../../catalog/fields.ts'
import { type DeploymentModel, threadOf } from '../../model/deployment.ts'
import { hasTestGraphs } from '../../model/graphs.ts'
import { typeByText } from '../../model/messages.ts'
import { streamRun } from '../../model/operations.ts'
import { at, listAt, parseJson } from '../../values/json.ts'
import { type NodeUpdate, nodeUpdates } from '../../values/stream-data.ts'
import { type FieldSubject, fieldRule } from '../field-rule.ts'
import type { Rule } from '../rule.ts'

/** Nodes of the test graph `tools` whose messages have no text that shows their type. */
const typeOfNode: Readonly<Record<string, string>> = { plan: 'ai' }

function updateRule(
  table: FieldTable,
  where: (update: NodeUpdate, message: unknown) => boolean,
): Rule<DeploymentModel> {
  return fieldRule(table, function* (model: DeploymentModel): Iterable<FieldSubject> {
    // What a graph that is not a test graph writes into its messages is unknown.
    if (!hasTestGraphs(model)) return
    for (const exchange of model.of(streamRun)) {
      const setup = [threadOf(model, exchange)?.creation]
      for (const update of nodeUpdates(exchange.events)) {
        const messages = listAt(update.value, 'messages').filter((message) => where(update, message))
        for (const value of messages) yield { exchange, setup, value }
      }
    }
  })
}

/** The type that a message in an update must have: by its text, else by its node, else as its `type` says. */
function typeIn({ node }: NodeUpdate, message: unknown): unknown {
  const byText = typeByText(message)
  if (byText !== undefined) return byText
  return typeOfNode[node] ?? at(message, 'type')
}

function isCall({ node }: NodeUpdate, message: unknown): boolean {
  return node === 'plan' && typeByText(message) === undefined
}

export const streamFieldRules: readonly Rule<DeploymentModel>[] = [
  fieldRule(metadataEventTable, function* (model: DeploymentModel): Iterable<FieldSubject> {
    for (const exchange of model.of(streamRun)) {
      const setup = [threadOf(model, exchange)?.creation]
      for (const { event, data } of exchange.events) {
        if (event === 'metadata') yield { exchange, setup, value: parseJson(data) }
      }
    }
  }),
  updateRule(updatedAiTable, (update, message) => typeIn(update, message) === 'ai'),
  updateRule(updatedCallTable, isCall),
  updateRule(updatedPlainTable, (update, message) => typeIn(update, message) === 'ai' && !isCall(update, message)),
  updateRule(updatedToolTable, (update, message) => typeIn(update, message) === 'tool'),
]
