import { expect, test } from 'vitest'
import { evaluate } from '../../suites/evaluate/evaluate.ts'
import { mismatch, type Rule } from '../../suites/rules/rule.ts'
import { scenarios } from '../../suites/scenarios/index.ts'
import { checksOf, decisionsAgainst } from '../../targets/mutants/test-mutant.ts'
import { modelOf } from '../fixtures/deployment-trace.ts'
import { mutantWithId } from '../fixtures/mutants.ts'

test('requirements whose values never arrive are blocked by the failure of what contains them', async () => {
  const mutant = mutantWithId('stream.updates.bare-messages')

  const decisions = await decisionsAgainst(mutant, checksOf(mutant, scenarios), undefined)

  const verdicts = new Map(decisions.map((decision) => [decision.requirement, decision]))
  expect(verdicts.get('stream.updates.value-object')?.verdict).toBe('fail')
  expect(verdicts.get('stream.updates.ai.id.type')).toMatchObject({
    verdict: 'blocked',
    blockedBy: 'stream.updates.value-object',
  })
})

test('requirements without a case are blocked by the failure of a request that their scenario sends', async () => {
  const mutant = mutantWithId('state.get.broken')
  const ids = ['state.get.answers-state', 'message.input.stored', 'run.join.waits'] as const
  const checks = scenarios.filter(({ exercises }) => ids.some((id) => exercises.includes(id)))

  const decisions = await decisionsAgainst(mutant, checks, undefined)

  const blockers = new Map(decisions.map(({ requirement, blockedBy }) => [requirement, blockedBy]))
  expect(ids.map((id) => blockers.get(id))).toEqual([undefined, 'state.get.answers-state', 'state.get.answers-state'])
})

test('a requirement is blocked if one of its failures is explained, although it need not apply to an earlier response', async () => {
  const model = modelOf([
    ['GET /threads/t/state', undefined, {}, 10, 20],
    ['GET /threads/t/state', undefined, {}, 30, 40],
    ['GET /threads/t/state', undefined, {}, 50, 60],
  ])
  const [unclear, right, wrong] = model.exchanges.map((exchange) => ({ exchange }))
  const requirement = 'message.no-others'
  const blockedBy = 'state.get.that-thread'
  const rule = {
    requirements: [requirement],
    cases: () => [
      { requirement, subject: unclear, blockedBy },
      { requirement, subject: right },
      { requirement, subject: wrong, blockedBy, mismatch: mismatch('the messages', 'none', 'one') },
    ],
  }

  const [finding] = await evaluate(model, [rule as unknown as Rule<typeof model>])

  expect(finding).toMatchObject({ verdict: 'blocked', decidedBy: { subject: wrong } })
})
