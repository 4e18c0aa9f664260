import { runTable } from '../../catalog/deployment/run.ts'
import { fieldIds } from '../../catalog/fields.ts'
import { plainAssistant } from '../../harness/assistants.ts'
import { furtherKeys } from '../../harness/response-shape.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'
import { readRuns } from './kwargs.ts'
import { abandonedRunScenarios } from './run-abandoned.ts'
import { runCreateScenarios } from './run-create.ts'
import { runJoinScenarios } from './run-join.ts'
import { runReadScenarios } from './run-read.ts'

const fields: readonly Scenario[] = [
  scenario(
    [...fieldIds(runTable), 'run.updated-not-before-created'],
    'creates and reads runs with each strategy',
    async (context) => {
      const assistantId = await plainAssistant(context)
      const requests = [{}, { strategy: 'enqueue' }, { strategy: 'interrupt' }] as const
      await Promise.all(requests.map((request) => readRuns(context, { assistantId, ...request })))
    },
  ),

  probe('run.fields.further', 'observes additional fields of runs', async ({ deployment, observe }) => {
    const { run } = await deployment.runToEnd({ graph: 'any' })
    observe('run.fields.further', furtherKeys(run, [runTable]))
  }),
]

export const runScenarios: readonly Scenario[] = [
  ...fields,
  ...runCreateScenarios,
  ...runReadScenarios,
  ...runJoinScenarios,
  ...abandonedRunScenarios,
]
