import { expect, test } from 'vitest'
import { command } from '../fixtures/touchstone.ts'

test('lists every requirement with its coverage and its strength as JSON', async () => {
  const { code, stdout } = await command(['list', '--json'])
  const requirements: Record<string, unknown>[] = JSON.parse(stdout)

  expect(code).toBe(0)
  expect(requirements.length).toBeGreaterThan(400)
  expect(requirements.find(({ id }) => id === 'thread.create.fresh-id')).toEqual({
    id: 'thread.create.fresh-id',
    area: 'deployment',
    section: 'Endpoints / A. Deployment API / POST /threads',
    level: 'MUST',
    statement: 'Each created thread has a new id.',
    coverage: 'tested',
    mutants: 1,
    generatedMutants: expect.any(Number),
    variants: expect.any(Number),
  })
  expect(requirements.filter(({ coverage, reason }) => coverage === 'excluded' && !reason)).toEqual([])
})

test('filters by area and level', async () => {
  const { stdout } = await command(['list', '--area', 'export', '--level', 'should', '--json'])
  const requirements: Record<string, unknown>[] = JSON.parse(stdout)

  expect(requirements.length).toBeGreaterThan(0)
  expect(requirements.filter(({ area, level }) => area !== 'export' || level !== 'SHOULD')).toEqual([])
  expect(await command(['list', '--area', 'exports'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--area: expected deployment or export, received "exports"'),
  })
})
