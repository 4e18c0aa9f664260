import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { renderJunit } from '../../reporters/junit.ts'
import type { Report } from '../../reporters/model/report.ts'
import { exampleReport, greenReport, levelled, outcome, reportOf, row, rows } from './example-report.ts'

interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

/** A strict parser: it refuses what XML 1.0 does not allow. */
function parse(xml: string): Element {
  const top: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element) element.text += text
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(xml).close()
  const [root] = top.children
  if (!root) throw new Error('the document is empty')
  return root
}

function cases(report: Report): Element[] {
  return parse(renderJunit(report)).children.flatMap((suite) => suite.children.filter((it) => it.name === 'testcase'))
}

function caseOf(id: string): Element {
  const found = cases(exampleReport).find((it) => it.attributes['name'] === id)
  if (!found) throw new Error(`no test case ${id}`)
  return found
}

test('a test case is named after its requirement and classed by area and section', () => {
  expect(cases(reportOf(rows)).map((it) => it.attributes['name'])).toEqual(rows.map((row) => row.id))
  expect(caseOf('thread.create.id').attributes).toMatchObject({ classname: 'a.threads-runs', time: '0.010' })
})

test('a suite takes the time of the run, whatever its checks took side by side; one that ran nothing takes none', () => {
  const asked = row('thread.one', 'fail', { area: 'one', outcomes: [outcome('fail'), outcome('pass')] })
  const report = { ...reportOf([asked, row('thread.two', 'not-applicable', { area: 'two', outcomes: [] })]) }
  const root = parse(renderJunit({ ...report, durationMs: 7 }))
  expect([root, ...root.children].map((it) => it.attributes['time'])).toEqual(['0.007', '0.007', '0.000'])
})

test('each verdict has its element', () => {
  const seen = cases(reportOf(rows)).map((it) => [it.attributes['name'], it.children.map((child) => child.name).join()])
  expect(Object.fromEntries(seen)).toEqual({
    'thread.create.id': '',
    'thread.create.id-uuid': 'failure',
    'thread.create.long': 'failure',
    'run.join.waits': 'failure',
    'run.cancel.wait': 'error',
    'run.list.order': 'skipped',
    'auth.scope.threads': 'skipped',
    'auth.studio': 'skipped',
    'stream.progressive': 'system-out',
    'run.kwargs.created-by': 'system-out',
    'run.reject.answer': 'skipped',
    'version.plus': 'skipped',
    'credentials.stored': 'skipped',
  })
})

test('a failure holds requirement, interpretation, expected, received, exchange and curl', () => {
  const [failure] = caseOf('thread.create.id-uuid').children
  expect(failure?.attributes).toEqual({ message: 'thread_id is no UUID', type: 'fail' })
  for (const text of [
    'requirement: The id of a thread is a UUID',
    'interpretation: Any version of UUID will do',
    'expected: a UUID as a string',
    'received: ',
    'POST http://127.0.0.1:8123/threads',
    'curl: curl -sS',
    'verdicts: custom-auth: 1 pass; open: 1 fail',
  ])
    expect(failure?.text).toContain(text)
})

test('text of a server stays text, and what XML cannot hold is made visible', () => {
  const text = caseOf('thread.create.id-uuid').children[0]?.text
  expect(text).toContain('</failure>]]> <script>alert("x")</script>')
  expect(text).toContain('\\x1b[2J')
  expect(text).toContain('\\x00 \\u{202e} \\u{d800} \\u{ffff} 👩‍🚀')
})

test('a SHOULD that is flaky is no failure: the run is green', () => {
  const report = reportOf([levelled('MUST', 'pass'), levelled('SHOULD', 'flaky')])
  expect(report.verdict.exitCode).toBe(0)
  expect(parse(renderJunit(report)).attributes).toMatchObject({ tests: '2', failures: '0' })
})

test('a skipped case says why', () => {
  const message = (id: string) => caseOf(id).children[0]?.attributes['message']
  expect(message('run.list.order')).toBe('blocked: blocked by thread.create.id-uuid')
  expect(message('auth.scope.threads')).toBe(
    'inconclusive: the endpoint declares no users; to run it: endpoints.open.users in the configuration',
  )
  expect(message('auth.studio')).toBe('inconclusive: accepted: no studio users here')
  expect(message('credentials.stored')).toBe('excluded: cannot be seen from outside')
})

test('totals of the suites add up', () => {
  const { attributes, children } = parse(renderJunit(exampleReport))
  expect(attributes).toMatchObject({ tests: '16', failures: '4', errors: '3', skipped: '6' })
  expect(children.map((suite) => [suite.attributes['name'], suite.attributes['tests']])).toEqual([
    ['A', '12'],
    ['B', '1'],
    ['run', '3'],
  ])
})

test('a run that judged nothing is red', () => {
  const { attributes } = parse(renderJunit(reportOf([], { problems: ['nothing listens there'] })))
  expect(attributes).toMatchObject({ tests: '1', errors: '1' })
})

test('a conformant run has no suite of its own faults', () => {
  const { attributes, children } = parse(renderJunit(greenReport))
  expect(attributes).toMatchObject({ tests: '2', failures: '0', errors: '0', skipped: '0' })
  expect(children.map((suite) => suite.attributes['name'])).toEqual(['A'])
})
