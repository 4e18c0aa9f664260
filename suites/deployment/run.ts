import { runTable } from '../catalog/deployment/run.ts'
import { fieldIds } from '../catalog/fields.ts'
import { type Check, check, scenario } from '../harness/check.ts'
import { plainAssistant, readRuns } from '../harness/run-sample.ts'
import { runCreateChecks } from './run-create.ts'
import { runJoinChecks } from './run-join.ts'
import { leftRunChecks } from './run-left.ts'
import { runReadChecks } from './run-read.ts'

const fields: readonly Check[] = [
  scenario(
    [...fieldIds(runTable), 'run.updated-not-before-created'],
    'creates and reads runs with each strategy',
    async (context) => {
      const assistantId = await plainAssistant(context)
      const requests = [{}, { strategy: 'enqueue' }, { strategy: 'interrupt' }] as const
      await Promise.all(requests.map((request) => readRuns(context, { assistantId, ...request })))
    },
  ),

  check('run.fields.further', 'observes additional fields of runs', async ({ deployment, observe }) => {
    const known = new Set(runTable.fields.map(({ name }) => name))
    const { run } = await deployment.ended({ graph: 'any' })
    const further = Object.keys(Object(run)).filter((name) => !known.has(name))
    observe('run.fields.further', further.sort().join(', ') || 'none')
  }),
]

export const runChecks: readonly Check[] = [
  ...fields,
  ...runCreateChecks,
  ...runReadChecks,
  ...runJoinChecks,
  ...leftRunChecks,
]
