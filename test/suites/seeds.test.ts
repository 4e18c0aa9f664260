import { expect, test } from 'vitest'
import type { ExportModel } from '../../suites/model/export.ts'
import { seededRuns } from '../../suites/model/seeds.ts'

const run = (id: string, project: string) => ({ tenant_id: 'tenant', session_id: project, id })

test('runs that the driver added again are each one run', () => {
  const observations = [
    { type: 'seed', at: 1, records: [run('a', 'first')] },
    { type: 'seed', at: 2, records: [run('a', 'first'), run('b', 'first'), run('a', 'second')] },
  ]

  expect([...seededRuns({ observations } as unknown as ExportModel)]).toEqual([
    { run: run('a', 'first'), seededAt: 1 },
    { run: run('b', 'first'), seededAt: 2 },
    { run: run('a', 'second'), seededAt: 2 },
  ])
})
