import { unknownId } from '../../catalog/deployment/run-places.ts'
import type { DeploymentContext } from '../../harness/context.ts'
import { runBody } from '../../harness/run-request.ts'
import { runCreateRules } from '../../rules/deployment/run-create.ts'
import { requirementsOf } from '../../rules/rule.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'

const strategies = [undefined, 'reject', 'enqueue', 'interrupt'] as const

/** Creates a run on a new thread, with fields of the usual body replaced. */
async function create({ deployment, session }: DeploymentContext, change: Readonly<Record<string, unknown>>) {
  const path = `/threads/${await deployment.thread()}/runs`
  return deployment.http.send({ method: 'POST', path, body: { ...runBody(session, { graph: 'any' }), ...change } })
}

const accepted = scenario(
  requirementsOf(runCreateRules),
  'creates runs with each documented field',
  async (context) => {
    const forms = strategies.flatMap((multitask_strategy) => [
      { multitask_strategy },
      { multitask_strategy, input: undefined },
    ])
    await Promise.all(forms.map((form) => create(context, form)))
  },
)

const statusCode = probe('run.create.status-code', 'observes the status of run creation', async (context) => {
  context.observe('run.create.status-code', String((await create(context, {})).status))
})

const refused = scenario(
  ['run.create.assistant-id.required', 'run.create.assistant-id.unknown-id', 'run.create.assistant-id.unknown-name'],
  'creates no run without a known assistant',
  async ({ deployment, session, negative }) => {
    const path = `/threads/${await deployment.thread()}/runs`
    const body = runBody(session, { graph: 'any', strategy: 'enqueue' })
    for (const assistant_id of [undefined, unknownId, 'touchstone-no-such-graph', `${session.graph('any')}-unknown`]) {
      const threadId = await deployment.thread()
      const fault = { path: `/threads/${threadId}/runs`, body: { ...body, assistant_id } }
      await negative({ method: 'POST', path, body }, fault)
      await deployment.listRuns(threadId)
    }
  },
)

const afterRefusal = scenario(
  ['run.status.ends', 'run.create.assistant-id.required', 'run.create.assistant-id.unknown-id'],
  'runs a graph after a refused request on the thread',
  async ({ deployment, session }) => {
    for (const assistant_id of [unknownId, undefined]) {
      const threadId = await deployment.thread()
      const request = { graph: 'echo', text: 'after a refused request', strategy: 'enqueue' } as const
      const body = { ...runBody(session, { ...request, text: 'refused' }), assistant_id }
      await deployment.http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body, intent: 'fault' })
      await deployment.runToEnd(request, threadId)
      await deployment.state(threadId)
    }
  },
)

const ids = scenario(
  ['run.create.answers-run', 'run.create.fresh-id', 'run.create.status-pending'],
  'creates runs on one thread and on others',
  async ({ deployment }) => {
    const same = await deployment.thread()
    const threads = [same, same, same, await deployment.thread(), await deployment.thread()]
    const request = { graph: 'any', strategy: 'enqueue' } as const
    const runs = await Promise.all(threads.map((threadId) => deployment.startRun(threadId, request)))
    await Promise.all(threads.map((threadId, index) => deployment.waitForEnd(threadId, runs[index] ?? '')))
  },
)

export const runCreateScenarios: readonly Scenario[] = [accepted, statusCode, refused, afterRefusal, ids]
