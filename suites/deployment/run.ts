import { runTable } from '../catalog/deployment/run.ts'
import { fieldIds } from '../catalog/fields.ts'
import { type Check, check, scenario } from '../harness/check.ts'
import { plainAssistant, readRuns } from '../harness/run-sample.ts'
import { updatedBeforeCreated } from '../harness/timestamps.ts'
import { contentTypeChecks } from './content-type.ts'
import { runCreateChecks } from './run-create.ts'
import { runJoinChecks } from './run-join.ts'
import { runReadChecks } from './run-read.ts'

const fields: readonly Check[] = [
  scenario(fieldIds(runTable), 'creates and reads runs with each strategy', async (context) => {
    const assistantId = await plainAssistant(context)
    const requests = [{}, { strategy: 'enqueue' }, { strategy: 'interrupt' }] as const
    await Promise.all(requests.map((request) => readRuns(context, { assistantId, ...request })))
  }),

  check('run.updated-not-before-created', 'compares the timestamps of runs', async (context) => {
    const { run } = await context.deployment.ended({ graph: 'any' })
    context.verify(!updatedBeforeCreated(run), 'updated_at of a run', 'a time not before created_at', run)
  }),

  check('run.fields.further', 'observes additional fields of runs', async ({ deployment, observe }) => {
    const known = new Set(runTable.fields.map(({ name }) => name))
    const { run } = await deployment.ended({ graph: 'any' })
    const further = Object.keys(Object(run)).filter((name) => !known.has(name))
    observe('run.fields.further', further.sort().join(', ') || 'none')
  }),
]

export const runChecks: readonly Check[] = [
  ...fields,
  ...contentTypeChecks,
  ...runCreateChecks,
  ...runReadChecks,
  ...runJoinChecks,
]
