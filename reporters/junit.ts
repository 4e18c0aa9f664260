import { causeFacts, type Fact, requirementFacts } from './facts.ts'
import { explain } from './findings.ts'
import type { Report, RequirementResult, Verdict } from './model/report.ts'
import { oneLine, slug, visible } from './model/text.ts'
import { isAcceptedGap, isWarning } from './model/verdict.ts'

/** Maximum length of a fact, in characters. */
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
 * Renders JUnit XML with one suite per area and one test case per requirement. Stale baseline entries and problems become
 * test cases of an additional suite `run`, so that a run that tested nothing is not green.
 */
export function renderJunit(report: Report): string {
  const areas = [...new Set(report.requirements.map(({ area }) => area))]
  const suites = areas.map((name) => ({
    name,
    cases: report.requirements.filter(({ area }) => area === name).map(testCase),
  }))
  const runCases = casesOfRun(report)
  if (runCases.length > 0) suites.push({ name: 'run', cases: runCases })
  const allCases = suites.flatMap(({ cases }) => cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: `touchstone: ${report.verdict.sentence}`, ...totals(allCases, report) })}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite${attributes({ name, ...totals(cases, report), timestamp: report.startedAt })}>`,
      ...properties(report),
      ...cases.map(({ xml }) => xml),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(requirement: RequirementResult): Case {
  const { id, area, section, verdict, reason, outcomes } = requirement
  const kind = isWarning(requirement) ? 'passed' : kinds[verdict]
  const seconds = outcomes.reduce((sum, outcome) => sum + outcome.durationMs, 0) / 1000
  const message = oneLine(isAcceptedGap(requirement) && reason ? `accepted: ${reason}` : explain(requirement), 1000)
  const head = attributes({ name: id, classname: `${slug(area)}.${slug(section)}`, time: seconds.toFixed(3) })
  const body = {
    failure: () => element('failure', { message, type: verdict }, facts(requirement)),
    error: () => element('error', { message, type: verdict }, facts(requirement)),
    skipped: () => `      <skipped${attributes({ message: `${verdict}: ${message}` })}/>`,
    passed: () => (verdict === 'pass' ? undefined : element('system-out', {}, `${verdict}\n${facts(requirement)}`)),
  }[kind]()
  const xml = body === undefined ? `    <testcase${head}/>` : `    <testcase${head}>\n${body}\n    </testcase>`
  return { kind, seconds, xml }
}

function casesOfRun(report: Report): Case[] {
  const stale = report.staleBaseline.map(({ id, reason }) => {
    const message = `stale baseline entry: ${oneLine(reason, 1000)}`
    return runCase('failure', id, 'run.baseline', element('failure', { message, type: 'stale-baseline' }, message))
  })
  const interrupted = report.interrupted === undefined ? [] : [`interrupted: ${report.interrupted}`]
  const problems = [...report.problems, ...interrupted].map((problem, index) => {
    const error = element('error', { message: oneLine(problem, 1000), type: 'problem' }, problem)
    return runCase('error', `problem-${index + 1}`, 'run.problems', error)
  })
  return [...stale, ...problems]
}

function runCase(kind: Kind, name: string, classname: string, body: string): Case {
  const head = attributes({ name, classname, time: '0.000' })
  return { kind, seconds: 0, xml: `    <testcase${head}>\n${body}\n    </testcase>` }
}

/** Checks run concurrently, so their times do not add up to the time of the run. Each suite gets the time of the run. */
function totals(cases: readonly Case[], { durationMs }: Report): Record<string, string> {
  const count = (kind: Kind) => String(cases.filter((testCase) => testCase.kind === kind).length)
  const hasRun = cases.some(({ seconds }) => seconds > 0)
  return {
    tests: String(cases.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: ((hasRun ? durationMs : 0) / 1000).toFixed(3),
  }
}

function properties({ suite, target }: Report): string[] {
  const entries = {
    'suite.version': suite.version,
    'suite.catalogHash': suite.catalogHash,
    'suite.seed': suite.seed,
    target: target.name,
    ...Object.fromEntries(target.endpoints.map(({ name, url }) => [`endpoint.${name}`, url])),
  }
  const lines = Object.entries(entries).map(([name, value]) => `      <property${attributes({ name, value })}/>`)
  return ['    <properties>', ...lines, '    </properties>']
}

function facts(requirement: RequirementResult): string {
  const print = ({ label, text }: Fact) => `${label}: ${text.includes('\n') ? `\n${text}` : text}`
  return [requirementFacts(requirement, factLimit), ...causeFacts(requirement, factLimit)]
    .map((part) => part.map(print).join('\n'))
    .join('\n\n')
}

function element(name: string, values: Record<string, string>, text: string): string {
  return `      <${name}${attributes(values)}>${escapeXml(text)}</${name}>`
}

function attributes(values: Record<string, string>): string {
  const escapeAttribute = (value: string) =>
    escapeXml(value).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('')
}

function escapeXml(text: string): string {
  return visible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
