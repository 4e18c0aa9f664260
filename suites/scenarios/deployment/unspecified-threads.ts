import { defaultAssistantId, plainAssistant } from '../../harness/assistants.ts'
import type { Deployment } from '../../harness/deployment.ts'
import { responseShape } from '../../harness/response-shape.ts'
import { at, listAt, show, textAt } from '../../values/json.ts'
import { probe, type Scenario } from '../scenario.ts'

const creation = probe(
  ['thread.create.metadata', 'thread.create.thread-id', 'thread.create.existing-id', 'thread.create.if-exists'],
  'observes undocumented fields of thread creation',
  async ({ deployment, observe }) => {
    const create = (body: unknown) => deployment.http.send({ method: 'POST', path: '/threads', body })
    const marked = await create({ metadata: { touchstone: 'kept' } })
    const kept = at(marked.json, 'metadata', 'touchstone') === 'kept' ? 'kept' : show(at(marked.json, 'metadata'))
    observe('thread.create.metadata', marked.ok ? kept : `refused: ${responseShape(marked)}`)
    const id = crypto.randomUUID()
    const named = await create({ thread_id: id })
    const result = textAt(named.json, 'thread_id') === id ? 'taken as the id of the thread' : 'not taken'
    observe('thread.create.thread-id', named.ok ? result : `refused: ${responseShape(named)}`)
    observe('thread.create.existing-id', responseShape(await create({ thread_id: id })))
    const again = await create({ thread_id: id, if_exists: 'do_nothing' })
    const same = textAt(again.json, 'thread_id') === id ? 'the thread that exists' : 'another thread'
    observe('thread.create.if-exists', `do_nothing: ${again.ok ? same : responseShape(again)}`)
  },
)

/**
 * Reads a thread by its id, which is not documented, or in the list of threads. Returns it with the endpoint that returned it;
 * undefined if neither contains it.
 */
export async function viewThread({ http }: Deployment, threadId: string) {
  const single = await http.send({ method: 'GET', path: `/threads/${threadId}` })
  if (single.ok) return { by: 'GET /threads/{thread_id}', thread: single.json }
  const list = await http.send({ method: 'GET', path: '/threads?limit=1000' })
  const thread = listAt(list.json).find((each) => at(each, 'thread_id') === threadId)
  return thread === undefined ? undefined : { by: 'GET /threads', thread }
}

const reading = probe(
  ['thread.read', 'thread.fields.values.after-runs'],
  'observes GET /threads/{thread_id}',
  async ({ deployment, observe }) => {
    const { threadId } = await deployment.runToEnd({ graph: 'any' })
    observe('thread.read', responseShape(await deployment.http.send({ method: 'GET', path: `/threads/${threadId}` })))
    const view = await viewThread(deployment, threadId)
    const count = listAt(view?.thread, 'values', 'messages').length
    observe('thread.fields.values.after-runs', view && count > 0 ? view.by : 'only the thread state')
  },
)

/** The version digit of a UUID. */
function version(id: unknown): string {
  const digit = typeof id === 'string' ? /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])/i.exec(id)?.[1] : undefined
  return digit === undefined ? show(id) : `version ${digit}`
}

const ids = probe(
  ['ids.thread', 'ids.run', 'ids.assistant', 'ids.default-assistant'],
  'observes the UUID versions of ids',
  async (context) => {
    const { deployment, observe } = context
    const { threadId, runId } = await deployment.runToEnd({ graph: 'any' })
    observe('ids.thread', version(threadId))
    observe('ids.run', version(runId))
    observe('ids.assistant', version(await plainAssistant(context)))
    const assistantId = await defaultAssistantId(context)
    observe('ids.default-assistant', assistantId === undefined ? 'not found' : version(assistantId))
  },
)

export const unspecifiedThreadScenarios: readonly Scenario[] = [creation, reading, ids]
