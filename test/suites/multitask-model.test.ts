import { expect, test } from 'vitest'
import { listen } from '../../mock-server/adapters/node.ts'
import type { ApplyStrategy } from '../../mock-server/deployment/multitask.ts'
import { createMockServer, defaultPolicies, type Policies } from '../../mock-server/index.ts'
import { multitaskModelChecks } from '../../suites/deployment/multitask-model.ts'
import { judgeStory, type Sighting } from '../../suites/deployment/multitask-model-judge.ts'
import { at } from '../../suites/harness/json.ts'
import { runChecks } from '../../suites/harness/run-checks.ts'
import { openSession } from '../../suites/harness/session.ts'

const text = (run: number): string => `run ${run}`

function created(
  run: number,
  strategy: 'reject' | 'enqueue' | 'interrupt',
  more: { graph?: 'slow'; accepted?: false } = {},
) {
  return { saw: 'created', run, graph: 'echo', strategy, accepted: true, answeredAt: run * 10, ...more } as const
}

function ended(run: number, status: string): Sighting {
  return { saw: 'status', run, status }
}

function judge(sightings: readonly Sighting[], messages: readonly string[]): string | undefined {
  const problem = judgeStory({ sightings, messages, delayMs: 200, text })
  return problem && `${problem.what}: expected ${problem.expected}, received ${problem.received}`
}

const asleep: readonly Sighting[] = [
  created(0, 'enqueue', { graph: 'slow' }),
  { saw: 'asleep', run: 0, notBefore: 0 },
  created(1, 'interrupt'),
]
const second = ['run 1', 'first: run 1', 'second: run 1']

test('a sleeping run is interrupted, and its messages stay before the new run', () => {
  const story = [...asleep, ended(0, 'interrupted'), ended(1, 'success')]
  expect(judge(story, ['run 0', 'before: run 0', ...second])).toBeUndefined()
  expect(judge(story, ['before: run 0', ...second])).toBeUndefined()
  expect(judge(story, second)).toContain('["before: run 0","run 1"')
  expect(judge(story, [...second, 'before: run 0'])).toContain('in this order')
  const unharmed = [...asleep, ended(0, 'success'), ended(1, 'success')]
  expect(judge(unharmed, second)).toBe('the status of run 0: expected "interrupted", received "success"')
})

test('a run that the client saw too late, or never saw executing, decides nothing', () => {
  const late = { ...created(1, 'interrupt'), answeredAt: 5000 }
  const story = [...asleep.slice(0, 2), late, ended(0, 'success'), ended(1, 'success')]
  expect(judge(story, second)).toBeUndefined()
  const unseen = [created(0, 'enqueue'), created(1, 'interrupt'), ended(0, 'interrupted'), ended(1, 'success')]
  expect(judge(unseen, second)).toBeUndefined()
})

test('all queued runs succeed, in order and one after another', () => {
  const story = [created(0, 'enqueue'), created(1, 'enqueue'), ended(0, 'success'), ended(1, 'success')]
  const first = ['run 0', 'first: run 0', 'second: run 0']
  expect(judge(story, [...first, ...second])).toBeUndefined()
  expect(judge(story, [...second, ...first])).toContain('in this order')
  expect(judge(story, ['run 0', 'run 1', ...first.slice(1), ...second.slice(1)])).toContain('in this order')
})

test('reject can refuse a run on a busy thread, never on an idle one', () => {
  const busy = [created(0, 'reject'), created(1, 'reject', { accepted: false }), ended(0, 'success')]
  const first = ['run 0', 'first: run 0', 'second: run 0']
  expect(judge(busy, first)).toBeUndefined()
  const idle = [created(0, 'reject'), ended(0, 'success'), created(1, 'reject', { accepted: false })]
  expect(judge(idle, first)).toBe('run 1 (reject) on an idle thread: expected a run, received a refusal')
})

test('a run that had ended keeps its status', () => {
  const flips = [created(0, 'enqueue'), ended(0, 'success'), ended(0, 'interrupted')]
  expect(judge(flips, [])).toBe('the status of run 0: expected "success", as it was before, received "interrupted"')
})

/** Runs the model against the mock server with some policies replaced. */
async function runModel(policies: Partial<Policies>) {
  const server = await listen(createMockServer({ policies }), { port: 0 })
  const manifest = { endpoints: { open: { url: server.url } }, budgets: { slowMs: 120 } }
  const session = openSession(manifest, 'open', 'seed')
  try {
    return (await runChecks(multitaskModelChecks, [session], 1)).map(({ verdict, failure }) => ({ verdict, failure }))
  } finally {
    await session.close()
    await server.close()
  }
}

test('a server that follows the strategies passes', async () => {
  expect(await runModel({})).toEqual([{ verdict: 'pass', failure: undefined }])
})

test('a defect in an unusual order fails with a counterexample that can be replayed', async () => {
  const { multitask } = defaultPolicies
  const enqueue: ApplyStrategy = (inFlight) => {
    const isFollower = inFlight.jobs.some((job) => at(job, 'run', 'multitask_strategy') === 'interrupt')
    return isFollower ? multitask.reject(inFlight) : multitask.enqueue(inFlight)
  }
  const [decision] = await runModel({ multitask: { ...multitask, enqueue } })
  expect(decision?.verdict).toBe('fail')
  expect(decision?.failure?.message).toContain('#!/usr/bin/env bash')
  expect(decision?.failure?.message).toMatch(/^create 'run \d' .* interrupt\n(.*\n)*create 'run \d' .* enqueue$/m)
})

test('a defect in a usual order is left to the check of that order', async () => {
  const { multitask } = defaultPolicies
  const [decision] = await runModel({ multitask: { ...multitask, interrupt: multitask.enqueue } })
  expect(decision?.verdict).toBe('blocked')
  expect(decision?.failure?.message).toBe('a plain order goes wrong already')
})
