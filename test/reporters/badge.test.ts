import { expect, test } from 'vitest'
import { renderBadge } from '../../reporters/badge.ts'
import type { Report } from '../../reporters/model/report.ts'
import { exampleReport, greenReport, outcome, reportOf, row } from './example-report.ts'

const unseen = row('b', 'inconclusive', { outcomes: [outcome('inconclusive', { unlock: 'graphs.slow' })] })

test.each<[string, Report, string, string]>([
  ['conformant', greenReport, 'conformant', 'brightgreen'],
  [
    'with a gap',
    reportOf([row('a', 'pass'), { ...unseen, accepted: true }]),
    'conformant, 1 accepted gap',
    'brightgreen',
  ],
  ['of a part', reportOf([row('a', 'pass')], { selection: '--id a' }), 'conformant on a part', 'brightgreen'],
  ['failures', exampleReport, '3 requirements fail', 'red'],
  [
    'a stale baseline',
    reportOf([row('a', 'pass')], { staleBaseline: [{ id: 'a', reason: 'passes now' }] }),
    '1 stale baseline entry',
    'red',
  ],
  ['incomplete', reportOf([row('a', 'pass'), unseen]), 'incomplete', 'yellow'],
  ['our own fault', reportOf([row('a', 'pass')], { problems: ['a worker died'] }), 'not judged', 'lightgrey'],
])('a badge: %s', (_, report, message, color) => {
  expect(JSON.parse(renderBadge(report))).toEqual({
    schemaVersion: 1,
    label: 'agent service interface',
    message,
    color,
  })
})
