import { aiTable, toolTable } from '../../catalog/deployment/message-fields.ts'
import { furtherKeys } from '../../harness/response-shape.ts'
import { at, listAt, show } from '../../values/json.ts'
import { probe, type Scenario } from '../scenario.ts'

const types = (call: unknown): string =>
  ['name', 'args', 'id', 'type'].map((name) => `${name}: ${typeof at(call, name)}`).join(', ')

export const unspecifiedMessageScenarios: readonly Scenario[] = [
  probe(
    [
      'message.further',
      'message.tool_call.types',
      'message.invalid_tool_calls.elements',
      'message.tool.artifact.value',
      'message.tool.status.value',
    ],
    'observes additional fields of messages',
    async ({ deployment, observe }) => {
      const { threadId } = await deployment.runToEnd({ graph: 'tools', text: 'what else' })
      const messages = listAt(await deployment.state(threadId), 'values', 'messages')
      const all = Object.assign({}, ...messages.map(Object))
      observe('message.further', furtherKeys(all, [aiTable, toolTable], ['tool_calls']))
      observe('message.tool_call.types', types(messages.flatMap((message) => listAt(message, 'tool_calls'))[0]))
      const invalid = messages
        .map((message) => at(message, 'invalid_tool_calls'))
        .filter((value) => value !== undefined)
      observe('message.invalid_tool_calls.elements', show(invalid))
      const tool = messages.find((message) => at(message, 'type') === 'tool')
      observe('message.tool.artifact.value', show(at(tool, 'artifact')))
      observe('message.tool.status.value', show(at(tool, 'status')))
    },
  ),

  probe(
    ['message.input.other-roles', 'message.input.id', 'message.content.blocks'],
    'observes other forms of input messages',
    async ({ deployment, observe }) => {
      const stored = async (...messages: readonly object[]) => {
        const { run, threadId } = await deployment.runToEnd({ graph: 'echo', input: { messages } })
        const state = await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/state` })
        const kept = listAt(state.json, 'values', 'messages').slice(0, messages.length)
        return { status: show(at(run, 'status')), kept }
      }
      const assistant = await stored({ role: 'assistant', content: 'one' }, { role: 'human', content: 'two' })
      const system = await stored({ role: 'system', content: 'one' }, { role: 'human', content: 'two' })
      const descriptions = [assistant, system].map(
        ({ status, kept }) => `${status}, stored as ${show(at(kept[0], 'type'))}`,
      )
      observe('message.input.other-roles', `assistant: ${descriptions[0]}; system: ${descriptions[1]}`)
      const withId = await stored({ role: 'human', content: 'one', id: 'id-of-the-caller' })
      observe('message.input.id', show(at(withId.kept[0], 'id')))
      const blocks = await stored({ role: 'human', content: [{ type: 'text', text: 'a block' }] })
      observe('message.content.blocks', `${blocks.status}: ${show(at(blocks.kept[0], 'content'))}`)
    },
  ),
]
