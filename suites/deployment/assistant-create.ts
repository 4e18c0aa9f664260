import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../catalog/facts.ts'
import { markedConfig } from '../harness/assistants.ts'
import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { Blocked } from '../harness/errors.ts'
import { idOf } from '../harness/id-of.ts'
import { at, parsed, show, textAt } from '../harness/json.ts'
import { textsOf } from '../harness/messages.ts'
import { updatedBeforeCreated } from '../harness/timestamps.ts'

const path = '/assistants'

/** Makes an assistant of the graph `whoami` with this setting. */
async function configured({ deployment, session }: CheckContext, marker: string): Promise<string> {
  const config = { configurable: { touchstone_marker: marker } }
  const assistant = await deployment.createAssistant(session.graph('whoami'), { config })
  return idOf(assistant, 'assistant.fields.assistant_id')
}

/** Whether a value equals the expected one, except that objects may have more keys. */
function contains(value: unknown, expected: unknown): boolean {
  if (!isObject(expected)) return isDeepStrictEqual(value, expected)
  return isObject(value) && Object.entries(expected).every(([key, part]) => contains(value[key], part))
}

/** The setting with which the graph `whoami` says that an assistant ran it. */
async function seenBy({ deployment }: CheckContext, assistantId: string): Promise<unknown> {
  const { threadId } = await deployment.ended({ assistantId, text: 'who am I' })
  const told = textsOf(await deployment.state(threadId))
    .map(parsed)
    .findLast((one) => at(one, 'configurable') !== undefined)
  if (told === undefined) throw new Blocked('message.answer.stored', 'the graph whoami left no message')
  return at(told, 'configurable', 'touchstone_marker')
}

export const assistantCreateChecks: readonly Check[] = [
  check(
    [
      'assistant.create.answers-assistant',
      'assistant.create.config-optional',
      'assistant.create.config-accepted',
      'assistant.create.status-code',
    ],
    'creates assistants with and without config',
    async ({ deployment, session, decide, verify, observe }) => {
      const graph_id = session.graph('any')
      const bare = await deployment.http.send({ method: 'POST', path, body: { graph_id } })
      const configured = await deployment.http.send({
        method: 'POST',
        path,
        body: { graph_id, config: markedConfig() },
      })
      await decide('assistant.create.answers-assistant', () => {
        const right = [bare, configured].some(({ ok, json }) => ok && isObject(json))
        verify(right, 'POST /assistants', '2xx with an assistant', `${configured.status} ${configured.text}`)
      })
      if (!bare.ok && !configured.ok) throw new Blocked('assistant.create.answers-assistant', 'nothing was created')
      await decide('assistant.create.config-optional', () => {
        verify(bare.ok, 'POST /assistants without config', 'a 2xx response', `${bare.status} ${bare.text}`)
      })
      await decide('assistant.create.config-accepted', () => {
        verify(
          configured.ok,
          'POST /assistants with config',
          'a 2xx response',
          `${configured.status} ${configured.text}`,
        )
      })
      observe('assistant.create.status-code', String(configured.status))
    },
  ),

  check('assistant.create.graph_id-required', 'creates no assistant without graph_id', async (context) => {
    const config = markedConfig()
    const control = { method: 'POST', path, body: { graph_id: context.session.graph('any'), config } } as const
    const answer = await context.negative(control, { body: { config } })
    const made = answer.ok && textAt(answer.json, 'assistant_id') !== undefined
    context.verify(!made, 'POST /assistants without graph_id', 'no assistant', `${answer.status} ${answer.text}`)
  }),

  check(
    ['assistant.create.graph_id-kept', 'assistant.create.config-kept', 'assistant.config.configurable-type'],
    'creates assistants as requested',
    async ({ deployment, session, decide, block, verify }) => {
      const graph = session.graph('any')
      const config = { configurable: { ...markedConfig().configurable, list: [1, 2], nested: { deep: true } } }
      const created = await deployment.createAssistant(graph, { config })
      await decide('assistant.create.graph_id-kept', () => {
        const given = at(created, 'graph_id')
        if (typeof given !== 'string') throw new Blocked('assistant.fields.graph_id.type', show(created))
        verify(given === graph, 'graph_id of the created assistant', graph, given)
      })
      if (!isObject(at(created, 'config'))) throw new Blocked('assistant.fields.config.type', show(created))
      const configurable = at(created, 'config', 'configurable')
      const right = configurable === undefined || isObject(configurable)
      await decide('assistant.config.configurable-type', () => {
        verify(right, 'config.configurable of the created assistant', 'an object', configurable)
      })
      if (!right) return block('assistant.create.config-kept', 'assistant.config.configurable-type', 'no object')
      await decide('assistant.create.config-kept', () => {
        const kept = at(created, 'config')
        verify(contains(kept, config), 'config of the created assistant', `at least ${show(config)}`, kept)
      })
    },
  ),

  check('assistant.create.fresh-id', 'creates assistants with different ids', async (context) => {
    const { deployment, session } = context
    const make = () => deployment.createAssistant(session.graph('any'), { config: markedConfig() })
    const ids = (await Promise.all([make(), make(), make(), make()])).map((one) => textAt(one, 'assistant_id'))
    if (ids.includes(undefined)) throw new Blocked('assistant.fields.assistant_id.type', 'no id to compare')
    context.verify(new Set(ids).size === ids.length, 'ids of 4 new assistants', '4 different ids', ids)
  }),

  check('assistant.updated-not-before-created', 'compares the timestamps of a new assistant', async (context) => {
    const created = await context.deployment.createAssistant(context.session.graph('any'), { config: markedConfig() })
    const right = !updatedBeforeCreated(created)
    context.verify(right, 'updated_at of a new assistant', 'a time not before created_at', created)
  }),

  check(
    ['assistant.config.reaches-graph', 'assistant.config.own'],
    'runs assistants with their own settings',
    async (context) => {
      const { decide, verify } = context
      const marked = Array.from({ length: 3 }, () => markedConfig().configurable.touchstone_marker)
      const ids = await Promise.all(marked.map((marker) => configured(context, marker)))
      if (new Set(ids).size < ids.length) throw new Blocked('assistant.create.fresh-id', 'some have the same id')
      const seen = await Promise.all(ids.map((id) => seenBy(context, id)))
      const mixed = seen.some((one, index) => one !== marked[index] && marked.some((marker) => marker === one))
      await decide('assistant.config.reaches-graph', () => {
        if (mixed) throw new Blocked('assistant.config.own', 'the graph sees a setting of another assistant')
        const right = isDeepStrictEqual(seen, marked)
        verify(right, 'the setting touchstone_marker as the graph sees it in three runs', show(marked), seen)
      })
      await decide('assistant.config.own', () => {
        const known = seen.filter((one) => marked.some((marker) => marker === one))
        if (known.length === 0) throw new Blocked('assistant.config.reaches-graph', 'the graph sees no setting')
        verify(!mixed, 'the settings that three assistants of one graph run with', show(marked), seen)
      })
    },
  ),
]
