import { isUuid } from '../catalog/facts.ts'
import { defaultAssistants, markedConfig } from '../harness/assistants.ts'
import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { Blocked } from '../harness/errors.ts'
import { idOf } from '../harness/id-of.ts'
import { at, show, textAt } from '../harness/json.ts'
import type { RunRequest } from '../harness/run-request.ts'
import { brokenAssistantId } from '../harness/run-sample.ts'

/** Creates a run of an assistant, waits for its end and returns the run as it was created. */
async function runOf({ deployment }: CheckContext, which: Pick<RunRequest, 'assistantId' | 'graph'>): Promise<unknown> {
  const threadId = await deployment.thread()
  const run = await deployment.createRun(threadId, { ...which, text: 'by id or name' })
  const runId = textAt(run, 'run_id')
  if (runId !== undefined) await deployment.settle(threadId, runId)
  return run
}

async function newAssistant({ deployment, session }: CheckContext): Promise<string> {
  const created = await deployment.createAssistant(session.graph('any'), { config: markedConfig() })
  return idOf(created, 'assistant.fields.assistant_id')
}

export const assistantIdChecks: readonly Check[] = [
  check('assistant.id.create-accepts', 'creates runs by assistant id', async (context) => {
    await runOf(context, { assistantId: await newAssistant(context) })
  }),

  check(
    ['assistant.name.create-accepts', 'assistant.name.run-carries-uuid'],
    'creates runs by graph name',
    async (context) => {
      const { decide, verify } = context
      let run: unknown
      await decide('assistant.name.create-accepts', async () => {
        run = await runOf(context, { graph: 'any' })
      })
      if (run === undefined) throw new Blocked('assistant.name.create-accepts', 'no run was created')
      await decide('assistant.name.run-carries-uuid', async () => {
        const broken = await brokenAssistantId(context)
        if (broken) throw new Blocked(broken, 'assistant_id is wrong whatever a run is created with')
        const id = at(run, 'assistant_id')
        verify(isUuid(id), 'assistant_id of a run created with the name of a graph', 'a UUID', id)
      })
    },
  ),

  check(
    'assistant.name.run-of-default',
    'creates runs of the default assistant by graph name',
    async (context) => {
      const graph = context.session.graph('any')
      const found = (await defaultAssistants(context)).find((one) => one.graph === graph)
      if (found?.listed === undefined) throw new Blocked('assistant.search.includes-default', 'no default assistant')
      const broken = await brokenAssistantId(context)
      if (broken) throw new Blocked(broken, 'assistant_id is wrong whatever a run is created with')
      const run = await runOf(context, { graph: 'any' })
      const [wanted, id] = [at(found.listed, 'assistant_id'), at(run, 'assistant_id')]
      if (!isUuid(id)) throw new Blocked('assistant.name.run-carries-uuid', `assistant_id is ${show(id)}`)
      if (!isUuid(wanted)) throw new Blocked('assistant.fields.assistant_id.uuid', show(found.listed))
      context.verify(id === wanted, `assistant_id of a run created with the name ${graph}`, show(wanted), id)
    },
    { profile: 'open' },
  ),
]
