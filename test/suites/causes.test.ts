import { expect, test } from 'vitest'
import { scenarios } from '../../suites/scenarios/index.ts'
import { checksOf, decisionsAgainst } from '../../targets/mutants/test-mutant.ts'
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
