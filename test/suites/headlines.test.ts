import { expect, test } from 'vitest'
import { failedCases, headline } from '../../reporters/causes.ts'
import type { Decision } from '../../suites/evaluate/decisions.ts'
import { scenarios } from '../../suites/scenarios/index.ts'
import { checksOf, decisionsAgainst } from '../../targets/mutants/test-mutant.ts'
import { embeddedStore } from '../fixtures/bucket-stores.ts'
import { mutantWithId } from '../fixtures/mutants.ts'

test.for([
  [
    'multitask.interrupt.partial-outputs-late',
    'multitask.interrupt.outputs-follow',
    /^expected the messages of the thread to be in an order with \["before: ([\w ]+)"\] before \["first: .*, received .*"before: \1"\]$/,
  ],
  [
    'auth.none.runs-scoped',
    'auth.none.runs',
    /^expected the response to GET \/threads\/\{thread_id\}\/runs about a resource of another user to be a 2xx response, as for its owner before, received 404 /,
  ],
  [
    'run.get.status-cached',
    'run.get.current-status',
    /^expected the status in GET \/threads\/\{thread_id\}\/runs\/\{run_id\} of a run that GET \/threads\/\{thread_id\}\/runs has shown as `success` to be "success", received "pending"$/,
  ],
  [
    'message.input.user-refused',
    'message.input.user-accepted',
    /^expected the response to POST \/threads\/\{thread_id\}\/runs with the role `user` to be a 2xx response, received 422 /,
  ],
  [
    'export.auth.unknown-key.runs-lenient',
    'export.auth.unknown-key.runs',
    /^expected the response to GET \/api\/v1\/bulk-exports\/\{export_id\}\/runs with an unknown `X-API-Key` to be a refusal, received 200 /,
  ],
  [
    'export.file.csv',
    'export.file.parquet',
    /^expected .*\.parquet to be a Parquet file, received a file that starts with `id,name `(, and \d+ more)?$/,
  ],
  [
    'export.file.path.no-day',
    'export.file.path.day',
    /^expected the path of each file to include day=<number> directly after month=, received .*\/month=\d+\/x-day=\d+\//,
  ],
] as const)('the headline of the mutant %s names what to change', async ([id, requirement, text]) => {
  const failure = await failureOf(id, requirement)

  expect(failure && headline(failure)).toMatch(text)
})

test('a failure shows in how many cases its requirement fails', async () => {
  const [always, seldom] = await Promise.all([
    failureOf('run.get.enveloped', 'run.get.answers-run'),
    failureOf('run.join.every-third-early', 'run.join.waits'),
  ])

  expect(always && failedCases(always)).toMatch(/^fails in all \d+ cases$/)
  expect(seldom && failedCases(seldom)).toMatch(/^fails in \d+ of \d+ cases$/)
})

test('a failure shows what its cases have in common', async () => {
  const streamed = await failureOf('stream.run.enqueue-by-default', 'run.fields.multitask_strategy.default')

  expect(streamed && failedCases(streamed)).toMatch(
    /^fails in \d+ of \d+ cases \(in \d+ responses\), which are all cases after POST \/threads\/\{thread_id\}\/runs\/stream$/,
  )
})

test('a failure shows the request that created what was received', async () => {
  const { failure, evidence } = (await failureOf('run.get.newest-run', 'run.get.named-run')) ?? {}

  const creations = evidence?.exchanges.filter(({ method }) => method === 'POST').map((each) => each.responseBody)
  expect(creations).toContainEqual(expect.stringContaining(String(failure?.received?.replaceAll('"', ''))))
})

test('a failure shows that the client closed a connection', async () => {
  const failure = await failureOf('run.join.left-join-interrupts', 'run.status.success')

  expect(failure && headline(failure)).toContain(', after a client closed the connection of a join,')
  expect(failure?.evidence?.exchanges.map(({ error }) => error)).toContain('closed by the client')
})

test.for([
  [
    'a failure in its check as the probable reason',
    'stream.run.ends-in-error',
    'stream.run.results-in-state',
    'fix stream.run.success first, which is probably the reason',
  ],
  [
    'a failure of another check as a possible reason',
    'stream.updates.call-without-arguments',
    'stream.mode.default-values',
    'fix stream.updates.parts-as-stored first, which may be the reason',
  ],
] as const)('what is undecided names %s', async ([, id, requirement, unlock]) => {
  const undecided = await decisionOf(id, requirement, 'inconclusive')

  expect(undecided?.unlock).toBe(unlock)
})

const failureOf = (id: string, requirement: string) => decisionOf(id, requirement, 'fail')

async function decisionOf(
  id: string,
  requirement: string,
  verdict: Decision['verdict'],
): Promise<Decision | undefined> {
  const mutant = mutantWithId(id)
  const decisions = await decisionsAgainst(mutant, checksOf(mutant, scenarios), await embeddedStore())
  return decisions.find((decision) => decision.requirement === requirement && decision.verdict === verdict)
}
