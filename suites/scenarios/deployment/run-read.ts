import { jsonEndpoints } from '../../catalog/deployment/run.ts'
import { plainAssistant } from '../../harness/assistants.ts'
import { poll } from '../../harness/waiting.ts'
import { isExecuting } from '../../values/run-status.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { list, listAll } from './run-list.ts'

export const runReadScenarios: readonly Scenario[] = [
  scenario(
    [
      'run.list.answers-array',
      'run.list.empty',
      'run.list.every-run',
      'run.list.once',
      'run.list.own-runs',
      'run.get.answers-run',
      'run.get.named-run',
    ],
    'lists the runs of three threads and reads each run',
    async (context) => {
      const { deployment } = context
      const request = { graph: 'any', strategy: 'enqueue' } as const
      for (const count of [3, 1, 0]) {
        const threadId = await deployment.thread()
        const runs: string[] = []
        while (runs.length < count) runs.push(await deployment.startRun(threadId, request))
        await list(context, threadId)
        await Promise.all(runs.map((runId) => deployment.waitForEnd(threadId, runId)))
        await listAll(context, threadId, count)
      }
    },
  ),

  scenario(
    [
      'run.list.current-status',
      'run.list.as-created',
      'run.get.current-status',
      'run.get.as-created',
      'run.status.keeps-final',
      'run.status.kept',
    ],
    'reads a run alone and in the list before and after its end',
    async (context) => {
      const { deployment, session } = context
      const threadId = await deployment.thread()
      const runId = await deployment.startRun(threadId, { graph: 'any' })
      // The list is read until it shows the end: a read of the run right after that must show it, too.
      await poll(session, async () => (await list(context, threadId)).every((run) => !isExecuting(run)) || undefined)
      await deployment.getRun(threadId, runId)
      await deployment.waitForEnd(threadId, runId)
      // A later run must not change this one.
      await deployment.runToEnd({ graph: 'any', strategy: 'enqueue' }, threadId)
      await listAll(context, threadId, 2)
      for (const _ of [1, 2, 3, 4]) {
        await list(context, threadId)
        await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs/${runId}` })
      }
    },
  ),

  scenario(
    ['run.status.keeps-final', 'run.list.current-status'],
    'reads a finished run while a later one executes',
    async (context) => {
      const { deployment } = context
      const { threadId, runId } = await deployment.runToEnd({ text: 'ends first' })
      const assistantId = await deployment.slowAssistant(settlingMs)
      const later = await deployment.startRun(threadId, { assistantId, text: 'ends last', strategy: 'enqueue' })
      await Promise.all([deployment.getRun(threadId, runId), list(context, threadId)])
      await deployment.waitForEnd(threadId, later)
    },
  ),

  scenario(
    jsonEndpoints.map(({ name }) => `content-type.${name}` as const),
    'sends a request to each endpoint that returns JSON',
    async (context) => {
      const { deployment } = context
      await deployment.searchAssistants({ limit: 1, offset: 0 })
      await deployment.getAssistant(await plainAssistant(context))
      const { threadId } = await deployment.runToEnd({ graph: 'any' })
      await list(context, threadId)
      await deployment.state(threadId)
    },
  ),
]
