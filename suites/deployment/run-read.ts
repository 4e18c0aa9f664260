import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../catalog/facts.ts'
import { type Check, check } from '../harness/check.ts'
import { decideAll } from '../harness/decide-all.ts'
import { Blocked } from '../harness/errors.ts'
import { at, listAt, show } from '../harness/json.ts'
import { isExecuting } from '../harness/run-status.ts'
import { poll } from '../harness/waiting.ts'

const list = check(
  ['run.list.answers-array', 'run.list.empty', 'run.list.every-run', 'run.list.once', 'run.list.own-runs'],
  'lists the runs of threads',
  async (context) => {
    const { deployment } = context
    const [mine, other, none] = await Promise.all([deployment.thread(), deployment.thread(), deployment.thread()])
    const request = { graph: 'any', strategy: 'enqueue' } as const
    const made: string[] = []
    for (let count = 0; count < 3; count++) made.push(await deployment.startRun(mine, request))
    const foreign = await deployment.startRun(other, request)
    const read = (threadId: string) =>
      deployment.http.send({
        method: 'GET',
        path: `/threads/${threadId}/runs?limit=100`,
        row: 'run.list.answers-array',
        judged: true,
      })
    const [answer, empty] = await Promise.all([read(mine), read(none)])
    const listed = listAt(answer.json).map((run) => at(run, 'run_id'))
    const what = `the run ids in the list of thread ${mine}`
    const common = { received: listed, needs: ['run.list.answers-array'] } as const
    await decideAll(context, [
      {
        row: 'run.list.answers-array',
        holds: answer.ok && Array.isArray(answer.json),
        what: 'the list of runs of a thread',
        expected: 'a 2xx response with an array',
        received: `${answer.status} ${answer.text}`,
      },
      {
        ...common,
        row: 'run.list.empty',
        holds: empty.ok && isDeepStrictEqual(empty.json, []),
        what: 'the list of runs of a thread with no runs',
        expected: '[]',
        received: `${empty.status} ${empty.text}`,
      },
      {
        ...common,
        row: 'run.list.every-run',
        holds: made.every((id) => listed.includes(id)),
        what,
        expected: show(made),
      },
      {
        ...common,
        row: 'run.list.once',
        holds: new Set(listed).size === listed.length,
        what,
        expected: 'no id twice',
      },
      {
        ...common,
        row: 'run.list.own-runs',
        holds: listed.every((id) => made.some((own) => own === id)),
        what,
        expected: `the runs created there, not ${foreign}`,
        needs: [...common.needs, { row: 'run.create.fresh-id', holds: new Set(made).size === made.length }],
      },
    ])
    await Promise.all([...made.map((id) => deployment.settle(mine, id)), deployment.settle(other, foreign)])
  },
)

const listedStatus = check(
  'run.list.current-status',
  'lists runs with their current status',
  async ({ deployment, verify }) => {
    const { threadId, runId, run } = await deployment.ended({ graph: 'any' })
    const listed = (await deployment.listRuns(threadId)).find((one) => at(one, 'run_id') === runId)
    const [wanted, found] = [at(run, 'status'), at(listed, 'status')]
    verify(listed === undefined || found === wanted, 'the status of an ended run in the list', show(wanted), found)
  },
)

const get = check(['run.get.answers-run', 'run.get.named-run'], 'reads runs by id', async (context) => {
  const { deployment } = context
  const threadId = await deployment.thread()
  const request = { graph: 'any', strategy: 'enqueue' } as const
  const ids = [await deployment.startRun(threadId, request), await deployment.startRun(threadId, request)]
  const read = (id: string) => {
    return deployment.http.send({
      method: 'GET',
      path: `/threads/${threadId}/runs/${id}`,
      row: 'run.get.answers-run',
      judged: true,
    })
  }
  const answers = await Promise.all(ids.map(read))
  const found = answers.map(({ json }) => at(json, 'run_id'))
  await decideAll(context, [
    {
      row: 'run.get.answers-run',
      holds: answers.every(({ ok, json }) => ok && isObject(json)),
      what: 'reading two runs of a thread',
      expected: 'two 2xx responses, each with a run',
      received: answers.map(({ status, text }) => `${status} ${text}`),
    },
    {
      row: 'run.get.named-run',
      holds: isDeepStrictEqual(found, ids),
      what: 'the ids of two runs that were read by id',
      expected: show(ids),
      received: found,
      needs: ['run.get.answers-run', { row: 'run.fields.run_id.present', holds: !found.includes(undefined) }],
    },
  ])
  await Promise.all(ids.map((id) => deployment.settle(threadId, id)))
})

const currentStatus = check(
  'run.get.current-status',
  'reads runs with their current status',
  async ({ deployment, session, verify }) => {
    const threadId = await deployment.thread()
    const runId = await deployment.startRun(threadId, { graph: 'any' })
    const run = await poll(session, async () => {
      const listed = (await deployment.listRuns(threadId)).find((one) => at(one, 'run_id') === runId)
      const read = await deployment.getRun(threadId, runId)
      return isExecuting(read) && (listed === undefined || isExecuting(listed)) ? undefined : read
    })
    session.inFlight.delete(runId)
    if (run === undefined) throw new Blocked('run.status.ends', 'the run does not end')
    verify(!isExecuting(run), 'the status of a run that has ended by the list of runs', 'a final status', run)
  },
)

export const runReadChecks: readonly Check[] = [list, listedStatus, get, currentStatus]
