import { causeFacts, type Fact, rowFacts } from './detail.ts'
import { because } from './findings.ts'
import type { Report, RequirementResult, Verdict } from './model/report.ts'
import { oneLine, slug, visible } from './model/text.ts'
import { isAcceptedGap, isWarning } from './model/verdict.ts'

/** Longest text of a fact in a test case, in characters. */
const factLimit = 10_000

type Kind = 'failure' | 'error' | 'skipped' | 'passed'

const kinds: Record<Verdict, Kind> = {
  fail: 'failure',
  flaky: 'failure',
  error: 'error',
  blocked: 'skipped',
  inconclusive: 'skipped',
  observed: 'skipped',
  'not-applicable': 'skipped',
  excluded: 'skipped',
  warning: 'passed',
  'expected-fail': 'passed',
  pass: 'passed',
}

interface Case {
  kind: Kind
  seconds: number
  xml: string
}

/**
 * Renders JUnit XML: one suite an area, one test case a requirement. Stale baseline entries and problems of the run
 * become cases of a suite of their own, so that a run which judged nothing is never shown as green.
 */
export function renderJunit(report: Report): string {
  const areas = [...new Set(report.requirements.map((row) => row.area))]
  const suites = areas.map((area) => ({
    name: area,
    cases: report.requirements.filter((row) => row.area === area).map(testCase),
  }))
  const own = runCases(report)
  if (own.length > 0) suites.push({ name: 'run', cases: own })
  const all = suites.flatMap((suite) => suite.cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: `touchstone: ${report.verdict.sentence}`, ...totals(all, report) })}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite${attributes({ name, ...totals(cases, report), timestamp: report.startedAt })}>`,
      ...properties(report),
      ...cases.map((it) => it.xml),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(row: RequirementResult): Case {
  const kind = isWarning(row) ? 'passed' : kinds[row.verdict]
  const seconds = row.outcomes.reduce((sum, outcome) => sum + outcome.durationMs, 0) / 1000
  const message = oneLine(isAcceptedGap(row) && row.reason ? `accepted: ${row.reason}` : because(row), 1000)
  const classname = `${slug(row.area)}.${slug(row.section)}`
  const head = `    <testcase${attributes({ name: row.id, classname, time: seconds.toFixed(3) })}`
  const body = {
    failure: () => element('failure', { message, type: row.verdict }, facts(row)),
    error: () => element('error', { message, type: row.verdict }, facts(row)),
    skipped: () => `      <skipped${attributes({ message: `${row.verdict}: ${message}` })}/>`,
    passed: () => (row.verdict === 'pass' ? undefined : element('system-out', {}, `${row.verdict}\n${facts(row)}`)),
  }[kind]()
  return { kind, seconds, xml: body === undefined ? `${head}/>` : `${head}>\n${body}\n    </testcase>` }
}

function runCases(report: Report): Case[] {
  const stale = report.staleBaseline.map(({ id, reason }) => {
    const message = `stale baseline entry: ${oneLine(reason, 1000)}`
    return runCase(id, 'run.baseline', element('failure', { message, type: 'stale-baseline' }, message), 'failure')
  })
  const interrupted = report.interrupted === undefined ? [] : [`interrupted: ${report.interrupted}`]
  const problems = [...report.problems, ...interrupted].map((problem, index) => {
    const message = oneLine(problem, 1000)
    return runCase(
      `problem-${index + 1}`,
      'run.problems',
      element('error', { message, type: 'problem' }, problem),
      'error',
    )
  })
  return [...stale, ...problems]
}

function runCase(name: string, classname: string, body: string, kind: Kind): Case {
  return {
    kind,
    seconds: 0,
    xml: `    <testcase${attributes({ name, classname, time: '0.000' })}>\n${body}\n    </testcase>`,
  }
}

/** Checks run side by side: their times do not add up to the one that the run took, of which every suite is a part. */
function totals(cases: readonly Case[], { durationMs }: Report): Record<string, string> {
  const having = (kind: Kind) => String(cases.filter((it) => it.kind === kind).length)
  return {
    tests: String(cases.length),
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
    time: ((cases.some(({ seconds }) => seconds > 0) ? durationMs : 0) / 1000).toFixed(3),
  }
}

function properties(report: Report): string[] {
  const entries = {
    'suite.version': report.suite.version,
    'suite.catalogHash': report.suite.catalogHash,
    'suite.seed': report.suite.seed,
    target: report.target.name,
    ...Object.fromEntries(report.target.endpoints.map(({ name, url }) => [`endpoint.${name}`, url])),
  }
  const lines = Object.entries(entries).map(([name, value]) => `      <property${attributes({ name, value })}/>`)
  return ['    <properties>', ...lines, '    </properties>']
}

function facts(row: RequirementResult): string {
  const print = ({ label, text }: Fact) => `${label}: ${text.includes('\n') ? `\n${text}` : text}`
  return [rowFacts(row, factLimit), ...causeFacts(row, factLimit)]
    .map((part) => part.map(print).join('\n'))
    .join('\n\n')
}

function element(name: string, names: Record<string, string>, text: string): string {
  return `      <${name}${attributes(names)}>${escaped(text)}</${name}>`
}

function attributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${escaped(value).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`,
    )
    .join('')
}

function escaped(text: string): string {
  return visible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
