import { updatedAiTable, updatedCallTable, updatedToolTable } from '../catalog/deployment/stream-fields.ts'
import type { Subject } from '../catalog/fields.ts'
import type { Check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { Blocked } from '../harness/errors.ts'
import { fieldCheck } from '../harness/field-check.ts'
import { at, show } from '../harness/json.ts'
import { textOf } from '../harness/messages.ts'
import { nodeUpdates, updatedMessages } from '../harness/updates.ts'

/** The message that each of some nodes of a streamed run produced, as its update tells it. */
async function updated(
  { deployment }: CheckContext,
  graph: 'echo' | 'tools',
  nodes: readonly string[],
): Promise<readonly Subject[]> {
  const request = { graph, text: 'updated', streamMode: ['updates'] } as const
  const updates = nodeUpdates((await deployment.streamed(await deployment.thread(), request)).events)
  return nodes.flatMap((node) => {
    const own = updatedMessages(updates, node).slice(-1)
    if (own.some((message) => isForeign(message, node))) throw new Blocked('stream.updates.messages-of-node', show(own))
    return own.map((value) => ({ label: `the update of the node ${node} of ${graph}`, value }))
  })
}

/** Whether a message is neither by type nor by content what the node `lookup` produces: it is that of another node. */
function isForeign(message: unknown, node: string): boolean {
  return node === 'lookup' && at(message, 'type') !== 'tool' && textOf(message) !== 'found: updated'
}

export const streamUpdateFieldChecks: readonly Check[] = [
  fieldCheck(updatedAiTable, async (context) => [
    ...(await updated(context, 'echo', ['first', 'second'])),
    ...(await updated(context, 'tools', ['plan', 'answer'])),
  ]),
  fieldCheck(updatedCallTable, (context) => updated(context, 'tools', ['plan'])),
  fieldCheck(updatedToolTable, (context) => updated(context, 'tools', ['lookup'])),
]
