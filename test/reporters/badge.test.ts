import { expect, test } from 'vitest'
import { renderBadge } from '../../reporters/badge.ts'
import type { Report } from '../../reporters/model/report.ts'
import { exampleReport, greenReport, outcome, reportOf, requirement } from './example-report.ts'

const untested = requirement('b', 'inconclusive', { outcomes: [outcome('inconclusive', { unlock: 'graphs.slow' })] })

test.each<[string, Report, string, string]>([
  ['conformant', greenReport, 'conformant', 'brightgreen'],
  [
    'an accepted gap',
    reportOf([requirement('a', 'pass'), { ...untested, accepted: true }]),
    'conformant, 1 accepted gap',
    'brightgreen',
  ],
  ['a part', reportOf([requirement('a', 'pass')], { selection: '--id a' }), 'conformant on a part', 'brightgreen'],
  ['failures', exampleReport, '3 requirements fail', 'red'],
  [
    'a stale baseline',
    reportOf([requirement('a', 'pass')], { staleBaseline: [{ id: 'a', reason: 'passes now' }] }),
    '1 stale baseline entry',
    'red',
  ],
  ['incomplete', reportOf([requirement('a', 'pass'), untested]), 'incomplete', 'yellow'],
  ['an error', reportOf([requirement('a', 'pass')], { problems: ['a worker died'] }), 'error', 'lightgrey'],
])('renders a badge: %s', (_, report, message, color) => {
  expect(JSON.parse(renderBadge(report))).toEqual({
    schemaVersion: 1,
    label: 'agent service interface',
    message,
    color,
  })
})
