import { expect, test } from 'vitest'
import { command } from '../fixtures/touchstone.ts'

test('list --json gives every requirement with its coverage and its mutants', async () => {
  const { code, stdout } = await command(['list', '--json'])
  const rows: Record<string, unknown>[] = JSON.parse(stdout)

  expect(code).toBe(0)
  expect(rows.length).toBeGreaterThan(400)
  expect(rows.find(({ id }) => id === 'thread.create.fresh-id')).toEqual({
    id: 'thread.create.fresh-id',
    area: 'deployment',
    section: 'Endpoints / A. Deployment API / POST /threads',
    level: 'MUST',
    statement: 'Each created thread has a new id.',
    coverage: 'tested',
    mutants: 1,
  })
  expect(rows.filter(({ coverage, reason }) => coverage === 'excluded' && !reason)).toEqual([])
})

test('list takes an area and a level', async () => {
  const { stdout } = await command(['list', '--area', 'export', '--level', 'should', '--json'])
  const rows: Record<string, unknown>[] = JSON.parse(stdout)

  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ area, level }) => area !== 'export' || level !== 'SHOULD')).toEqual([])
  expect(await command(['list', '--area', 'exports'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--area: expected deployment or export, received "exports"'),
  })
})
