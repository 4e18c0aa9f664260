import { expect, test } from 'vitest'
import { renderConsole } from '../../reporters/console.ts'
import { groupFindings } from '../../reporters/findings.ts'
import { renderHtml } from '../../reporters/html/page.ts'
import { renderMarkdown } from '../../reporters/markdown.ts'
import { outcome, reportOf, requirement } from './example-report.ts'

const levels = ['MUST', 'SHOULD', 'UNSPECIFIED'] as const
const blockedBy = (id: string) => ({ outcomes: [outcome('blocked', { blockedBy: id })] })
const report = reportOf([
  requirement('a.root', 'fail'),
  ...levels.map((level) => requirement(`a.${level}`, 'blocked', { level, ...blockedBy('a.root') })),
  requirement('a.later', 'blocked', blockedBy('a.MUST')),
  ...levels.map((level) => requirement(`b.${level}`, 'inconclusive', { level })),
  requirement('c.absent', 'not-applicable', { area: 'C', outcomes: [] }),
])
const text = renderConsole(report)

test('every format has the same number of blocked and inconclusive requirements', () => {
  expect(report.verdict.sentence).toMatch(/, 3 inconclusive, 4 blocked$/)
  expect(text).toMatch(/^all .* 4 blocked, 3 inconclusive, 1 not-applicable$/m)
  expect(text).toMatch(/^ {4}blocks 4: a\.MUST, a\.SHOULD, a\.UNSPECIFIED, a\.later$/m)
  expect(text).toContain('Inconclusive (3)')
  const page = renderHtml(report)
  expect(page).toMatch(/<b>4<\/b> blocked.*<b>3<\/b> inconclusive/)
  expect(page).toContain('fixing this unblocks <b>4</b>')
  expect(renderMarkdown(report)).toContain('3 inconclusive, 4 blocked')
})

test('groups a chain of blocked requirements by the failure at its end', () => {
  const [cause] = groupFindings(report).rootCauses

  expect(cause?.blocked.map(({ id }) => id)).toEqual(['a.MUST', 'a.SHOULD', 'a.UNSPECIFIED', 'a.later'])
})

test('orders causes by the requirements that they explain, then by the share of cases that fail', () => {
  const failing = (id: string, failed: number) =>
    requirement(id, 'fail', { outcomes: [outcome('fail', { failure: { message: id }, exercised: 40, failed })] })
  const findings = groupFindings(
    reportOf([
      failing('a.seldom', 1),
      failing('a.often', 30),
      failing('a.always', 40),
      failing('a.root', 2),
      requirement('a.blocked', 'blocked', blockedBy('a.root')),
    ]),
  )

  expect(findings.rootCauses.map(({ headline }) => headline)).toEqual(['a.root', 'a.always', 'a.often', 'a.seldom'])
})

test('leaves out the rows of an area that the target does not have', () => {
  expect(text).not.toMatch(/^C /m)
  expect(text.match(/^A +\w+ +\d/gm)).toHaveLength(3)
})
