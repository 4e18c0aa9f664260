import { unknownId } from '../catalog/deployment/run-places.ts'
import { isObject } from '../catalog/facts.ts'
import { type Check, check, scenario } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { decideAll } from '../harness/decide-all.ts'
import { Blocked } from '../harness/errors.ts'
import type { Answer } from '../harness/http.ts'
import { listAt, textAt } from '../harness/json.ts'
import { refusedBy } from '../harness/refused-run.ts'
import { runBody } from '../harness/run-request.ts'

type Body = Readonly<Record<string, unknown>>

/** POST …/runs on a new thread, with fields of the usual body changed or, where undefined, left out. */
async function create(context: Pick<CheckContext, 'deployment' | 'session'>, change: Body): Promise<Answer> {
  const path = `/threads/${await context.deployment.thread()}/runs`
  const body = { ...runBody(context.session, { graph: 'any' }), ...change }
  return context.deployment.http.send({ method: 'POST', path, body })
}

const isRun = (answer: Answer): boolean => answer.ok && isObject(answer.json)

const accepted = check(
  [
    'run.create.answers-run',
    'run.create.input.accepted',
    'run.create.input.optional',
    'run.create.strategy.optional',
    'run.create.strategy.reject',
    'run.create.strategy.enqueue',
    'run.create.strategy.interrupt',
    'run.create.status-code',
  ],
  'creates runs with each documented field',
  async (context) => {
    const strategies = ['reject', 'enqueue', 'interrupt'] as const
    const [plain, bare, ...named] = await Promise.all([
      create(context, {}),
      create(context, { input: undefined }),
      ...strategies.map((strategy) => create(context, { multitask_strategy: strategy })),
    ])
    const needs = ['run.create.answers-run'] as const
    const taken = [plain, bare, ...named].find(isRun)
    // Names of graphs and the role of the message have rows of their own.
    const withInput = [plain, ...named].some(isRun)
    const by = withInput ? needs[0] : await refusedBy(context.deployment, context.session, {}, needs[0])
    if (by !== needs[0] && by !== 'run.create.input.accepted')
      throw new Blocked(by, 'run creation is refused in every form of this check')
    const expected = 'a 2xx response with a run'
    const seen = (answer: Answer) => `${answer.status} ${answer.text}`
    await decideAll(context, [
      { row: needs[0], holds: taken !== undefined, what: 'run creation', expected, received: seen(plain) },
      {
        row: 'run.create.input.accepted',
        holds: withInput,
        what: 'run creation with an input',
        expected,
        received: seen(plain),
        needs,
      },
      {
        row: 'run.create.strategy.optional',
        holds: isRun(plain) || isRun(bare),
        what: 'run creation without multitask_strategy',
        expected,
        received: seen(plain),
        needs,
      },
      {
        row: 'run.create.input.optional',
        holds: isRun(bare),
        what: 'run creation without input',
        expected,
        received: seen(bare),
        needs: [...needs, 'run.create.strategy.optional'],
      },
      ...strategies.map((strategy, index) => {
        const answer = named[index] ?? plain
        const what = `run creation with the strategy ${strategy}`
        const row = `run.create.strategy.${strategy}` as const
        const accepts = [...needs, 'run.create.input.accepted'] as const
        return { row, holds: isRun(answer), what, expected, received: seen(answer), needs: accepts }
      }),
    ])
    context.observe('run.create.status-code', String(taken?.status ?? plain.status))
  },
)

const unnamed = {
  'run.create.assistant-id.required': { assistant_id: undefined },
  'run.create.assistant-id.unknown-id': { assistant_id: unknownId },
  'run.create.assistant-id.unknown-name': { assistant_id: 'touchstone-no-such-graph' },
} as const

const refused = check(
  ['run.create.assistant-id.required', 'run.create.assistant-id.unknown-id', 'run.create.assistant-id.unknown-name'],
  'creates no run without a known assistant',
  async ({ deployment, session, negative, decide, verify }) => {
    const used = await deployment.thread()
    const body = runBody(session, { graph: 'any', strategy: 'enqueue' })
    for (const row of Object.keys(unnamed) as (keyof typeof unnamed)[]) {
      await decide(row, async () => {
        const path = `/threads/${await deployment.thread()}/runs`
        const fault = { path, body: { ...body, ...unnamed[row] } }
        const answer = await negative({ method: 'POST', path: `/threads/${used}/runs`, body }, fault)
        const record = answer.ok && textAt(answer.json, 'run_id') !== undefined
        verify(!record, 'the response to run creation', 'no run', `${answer.status} ${answer.text}`)
        const { json } = await deployment.http.send({ method: 'GET', path })
        const listed = listAt(json).filter((run) => textAt(run, 'run_id') !== undefined)
        verify(listed.length === 0, 'the runs of the thread afterwards', 'none', listed)
      })
    }
  },
)

const ids = scenario(
  ['run.create.fresh-id', 'run.create.status-pending'],
  'creates runs on one thread and on others',
  async ({ deployment }) => {
    const same = await deployment.thread()
    const threads = [same, same, same, await deployment.thread(), await deployment.thread()]
    const request = { graph: 'any', strategy: 'enqueue' } as const
    const runs = await Promise.all(threads.map((threadId) => deployment.startRun(threadId, request)))
    await Promise.all(threads.map((threadId, index) => deployment.settle(threadId, runs[index] ?? '')))
  },
)

export const runCreateChecks: readonly Check[] = [accepted, refused, ids]
