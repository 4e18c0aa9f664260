import { configMetadataTable, configTable, configurableTable, kwargsTable } from '../../catalog/deployment/kwargs.ts'
import { type FieldTable, fieldIds } from '../../catalog/fields.ts'
import { defaultAssistantId, plainAssistant } from '../../harness/assistants.ts'
import type { DeploymentContext, RunContext } from '../../harness/context.ts'
import { furtherKeys, responseShape } from '../../harness/response-shape.ts'
import { type RunRequest, runBody } from '../../harness/run-request.ts'
import { at, show } from '../../values/json.ts'
import { rareValues } from '../../values/unusual-values.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'

/** Creates two runs on one thread, one after the other, and reads each of them and the list of runs. */
export async function readRuns({ deployment }: RunContext, request: RunRequest): Promise<void> {
  const { threadId } = await deployment.runToEnd(request)
  // A thread may be busy for a moment after a run, and the default strategy is `reject`.
  await deployment.runToEnd({ ...request, strategy: 'enqueue' }, threadId)
  await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs` })
}

const records: readonly Scenario[] = [
  scenario(fieldIds(kwargsTable, configTable, configurableTable), 'reads the kwargs of runs', async (context) => {
    const input = { messages: [{ role: 'human', content: 'given: ü, 東京, "quoted"' }] }
    await readRuns(context, { assistantId: await plainAssistant(context), input })
  }),
  scenario(
    ['run.kwargs.input.given', 'run.kwargs.config.configurable.assistant_id.own'],
    'reads the input of runs with several messages and with further keys',
    async (context) => {
      const messages = ['one', 'two', 'three'].map((content) => ({ role: 'human', content }))
      const empty = { none: null, no: false, zero: 0, text: '', list: [], object: {} }
      const further = {
        touchstone_note: 'kept',
        touchstone_none: null,
        touchstone_values: { ...rareValues, empty },
      }
      const inputs = [{ messages }, { messages: messages.slice(0, 1), ...further }]
      // If the server refuses one input, the other must still be recorded.
      const results = await Promise.allSettled(
        inputs.map((input) => readRuns(context, { graph: 'any', input, strategy: 'enqueue' })),
      )
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
  ),
  scenario(
    [...fieldIds(configMetadataTable), 'run.kwargs.config.metadata.created_by.any-assistant'],
    'reads the kwargs of runs of a default and of a created assistant',
    async (context) => {
      await readRuns(context, await defaultRequest(context))
      await readRuns(context, { assistantId: await plainAssistant(context) })
    },
  ),
]

/** Returns a request that names the default assistant: by the name of the graph if an owner filter may hide the assistant. */
async function defaultRequest(context: DeploymentContext): Promise<RunRequest> {
  if (context.session.profile !== 'open') return { graph: 'any' }
  const assistantId = await defaultAssistantId(context)
  return assistantId === undefined ? { graph: 'any' } : { assistantId }
}

/** Undocumented fields of run creation, and the path in `kwargs` at which to observe them. */
const forms = {
  'run.kwargs.webhook.other-forms': { body: { webhook: 'https://touchstone.invalid/hook' }, path: ['webhook'] },
  'run.kwargs.feedback_keys.other-forms': { body: { feedback_keys: ['touchstone'] }, path: ['feedback_keys'] },
  'run.kwargs.interrupt_after.other-forms': { body: { interrupt_after: ['first'] }, path: ['interrupt_after'] },
  'run.kwargs.interrupt_before.other-forms': { body: { interrupt_before: ['second'] }, path: ['interrupt_before'] },
  'run.kwargs.input.absent': { body: { input: undefined }, path: ['input'] },
} as const

type FormId = keyof typeof forms
const formIds = Object.keys(forms) as FormId[]

const otherForms = probe(formIds, 'observes undocumented forms of kwargs', async (context) => {
  const { deployment, session } = context
  const observeForm = async (requirement: FormId) => {
    const { body, path } = forms[requirement]
    const threadId = await deployment.thread()
    const fullBody = { ...runBody(session, { graph: 'echo' }), ...body }
    const response = await deployment.http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body: fullBody })
    const result = response.ok ? show(at(response.json, 'kwargs', ...path), 200) : `refused: ${responseShape(response)}`
    context.observe(
      requirement,
      `${show({ ...body, ...(path[0] === 'input' ? { input: 'left out' } : {}) })} gives ${result}`,
    )
  }
  await Promise.all(formIds.map((requirement) => context.attempt(requirement, () => observeForm(requirement))))
})

const further = probe(
  ['run.kwargs.further', 'run.kwargs.config.configurable.checkpoint_id.set'],
  'observes additional keys of kwargs',
  async (context) => {
    const { deployment, session, observe } = context
    const { threadId, run } = await deployment.runToEnd({ graph: 'any' })
    const kwargs = at(run, 'kwargs')
    const furtherKeysOf = (table: FieldTable, ...path: readonly string[]) =>
      furtherKeys(at(kwargs, ...path), [table], ['graph_auth_user'])
    const inside = `config: ${furtherKeysOf(configTable, 'config')}; configurable: ${furtherKeysOf(configurableTable, 'config', 'configurable')}`
    observe('run.kwargs.further', `kwargs: ${furtherKeysOf(kwargsTable)}; ${inside}`)
    const checkpoint = at(await deployment.state(threadId), 'checkpoint_id')
    const body = { ...runBody(session, { graph: 'any' }), checkpoint_id: checkpoint }
    const response = await deployment.http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body })
    const checkpointId = at(response.json, 'kwargs', 'config', 'configurable', 'checkpoint_id')
    const description = checkpointId === checkpoint ? 'the checkpoint that was named' : show(checkpointId)
    observe(
      'run.kwargs.config.configurable.checkpoint_id.set',
      response.ok ? description : `refused: ${responseShape(response)}`,
    )
  },
)

export const kwargsScenarios: readonly Scenario[] = [...records, otherForms, further]
