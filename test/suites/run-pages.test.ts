import { afterAll, expect, test } from 'vitest'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { runReadScenarios } from '../../suites/scenarios/deployment/run-read.ts'
import { streamRunScenarios } from '../../suites/scenarios/deployment/stream-run.ts'
import { choices } from '../../targets/variants/index.ts'
import { testVariant } from '../../targets/variants/test-variant.ts'

const { store, close } = await openBucketStore('embedded')
afterAll(close)

test('reads later pages of runs if the server returns fewer than requested, also if it lists refused runs', async () => {
  const settings = [
    { choice: 'run.list-page', value: 'two-whatever-limit' },
    { choice: 'multitask.reject', value: 'recorded' },
  ]
  const variant = { seed: 'x', profiles: { deployment: 'open' as const }, settings }
  const scenarios = [...runReadScenarios, ...streamRunScenarios]
  const result = await testVariant(variant, { choices, scenarios, bucket: store })
  expect(result.rejections).toEqual([])
  expect(result.inconclusive).not.toHaveProperty(['run.list.every-run'])
  expect(result.decidable).toContain('run.list.every-run')
})
