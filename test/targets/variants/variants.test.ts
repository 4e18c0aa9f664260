import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { openBucketStore } from '../../../fixtures/bucket/open.ts'
import { scenario } from '../../../suites/scenarios/scenario.ts'
import type { Choice } from '../../../targets/variants/choice.ts'
import { choices } from '../../../targets/variants/index.ts'
import { findCulprits } from '../../../targets/variants/shrink.ts'
import { renderCulprit, renderTotals } from '../../../targets/variants/summary.ts'
import { testVariant } from '../../../targets/variants/test-variant.ts'
import { drawVariant } from '../../../targets/variants/variant.ts'
import { createRun } from '../../../targets/wrappers/requests.ts'
import { changeResponse } from '../../../targets/wrappers/routes.ts'
import { startNode } from '../../fixtures/touchstone.ts'

const run = fileURLToPath(new URL('../../../targets/variants/run.ts', import.meta.url))
const { store, close } = await openBucketStore('embedded')
afterAll(close)

const createsRun = scenario(['run.create.status-pending'], 'creates a run', ({ deployment }) =>
  deployment.runToEnd({ graph: 'echo' }),
)

/** A choice that is not legal: a new run has the status `pending`. */
const illegal: Choice = {
  id: 'run.create.status',
  description: 'The status of a new run.',
  legal: 'it is not',
  area: 'deployment',
  values: {
    queued: { wrap: changeResponse(createRun, (created) => ({ ...Object(created), status: 'queued' })) },
  },
}

test('a seed draws the same variant again, whatever other choices there are', () => {
  const drawn = drawVariant('7', choices)

  expect(drawVariant('7', choices)).toEqual(drawn)
  const fewer = choices.slice(3)
  const kept = drawn.settings.filter(({ choice }) => fewer.some(({ id }) => id === choice))
  expect(drawVariant('7', fewer)).toEqual({ ...drawn, settings: kept })
  expect(drawVariant('8', choices)).not.toEqual(drawn)
})

test('ids of choices are unique', () => {
  expect(new Set(choices.map(({ id }) => id)).size).toBe(choices.length)
})

test('shrinks a rejection to the choice that causes it', async () => {
  const fast = choices.filter(({ id }) => id.startsWith('deployment.timestamps') || id === 'http.key-order')
  const all = [...fast, illegal]
  const settings = all.map(({ id, values }) => ({ choice: id, value: Object.keys(values)[0] ?? '' }))
  const options = { choices: all, scenarios: [createsRun], bucket: store }

  const result = await testVariant({ seed: 'x', profiles: { deployment: 'open' }, settings }, options)
  const [culprit, ...others] = await findCulprits(result, options)

  expect(others).toEqual([])
  expect(culprit && renderCulprit(culprit)).toMatch(
    /^rejected: seed x \(open\): run\.create\.status-pending gets fail if run\.create\.status=queued: expected .*queued/,
  )
  expect(renderTotals([result], all)).toBe('variants: 0 accepted, 1 rejected; choices exercised: 3 of 3')
})

describe('usage errors end with exit code 2 and one message', () => {
  test.each<[string, string[], string]>([
    ['no matching choice', ['--only', 'no-such-choice'], "received 'no-such-choice'"],
    [
      'an invalid number of seeds',
      ['--seeds', '0'],
      "expected --seeds with a positive integer or a range such as 101-300, received '0'",
    ],
    ['both forms of seeds', ['--seeds', '2', '--seed', '2'], 'expected --seeds or --seed, received both'],
    ['one seed to record', ['--seed', '2', '--record'], 'expected --record without --seed and --only'],
    ['an unknown option', ['--sed', '2'], "Unknown option '--sed'"],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await startNode([run, ...args]).ended
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})

test('--help lists the options of the variants run', async () => {
  const { code, stdout } = await startNode([run, '--help']).ended
  expect(code).toBe(0)
  expect(stdout).toContain('--seeds N')
})
