import { runTable } from '../../catalog/deployment/run.ts'
import { fieldIds } from '../../catalog/fields.ts'
import { plainAssistant, readRuns } from '../../harness/run-samples.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'
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
    const known = new Set(runTable.fields.map(({ name }) => name))
    const { run } = await deployment.runToEnd({ graph: 'any' })
    const further = Object.keys(Object(run)).filter((name) => !known.has(name))
    observe('run.fields.further', further.sort().join(', ') || 'none')
  }),
]

export const runScenarios: readonly Scenario[] = [
  ...fields,
  ...runCreateScenarios,
  ...runReadScenarios,
  ...runJoinScenarios,
  ...abandonedRunScenarios,
]
