import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { renderJunit } from '../../reporters/junit.ts'
import type { Report } from '../../reporters/model/report.ts'
import {
  exampleReport,
  greenReport,
  outcome,
  reportOf,
  requirement,
  requirements,
  withLevel,
} from './example-report.ts'

interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

/** Parses strict XML 1.0. */
function parse(xml: string): Element {
  const top: Element = { name: '', attributes: {}, children: [], text: '' }
  const openElements = [top]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' }
    openElements.at(-1)?.children.push(element)
    openElements.push(element)
  })
  parser.on('text', (text) => {
    const element = openElements.at(-1)
    if (element) element.text += text
  })
  parser.on('closetag', () => {
    openElements.pop()
  })
  parser.write(xml).close()
  const [root] = top.children
  if (!root) throw new Error('expected an XML element, received none')
  return root
}

function cases(report: Report): Element[] {
  return parse(renderJunit(report)).children.flatMap((suite) =>
    suite.children.filter(({ name }) => name === 'testcase'),
  )
}

function caseOf(id: string): Element {
  const match = cases(exampleReport).find(({ attributes }) => attributes['name'] === id)
  if (!match) throw new Error(`expected a test case ${id}, received none`)
  return match
}

test('names a test case after its requirement, and its class after area and section', () => {
  expect(cases(reportOf(requirements)).map(({ attributes }) => attributes['name'])).toEqual(
    requirements.map(({ id }) => id),
  )
  expect(caseOf('thread.create.id').attributes).toMatchObject({ classname: 'a.threads-runs', time: '0.010' })
})

test('gives each suite the time of the run, or zero if no check ran', () => {
  const tested = requirement('thread.one', 'fail', { area: 'one', outcomes: [outcome('fail'), outcome('pass')] })
  const report = { ...reportOf([tested, requirement('thread.two', 'not-applicable', { area: 'two', outcomes: [] })]) }
  const root = parse(renderJunit({ ...report, durationMs: 7 }))
  expect([root, ...root.children].map(({ attributes }) => attributes['time'])).toEqual(['0.007', '0.007', '0.000'])
})

test('maps each verdict to a JUnit element', () => {
  const elements = cases(reportOf(requirements)).map(({ attributes, children }) => [
    attributes['name'],
    children.map(({ name }) => name).join(),
  ])
  expect(Object.fromEntries(elements)).toEqual({
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

test('writes requirement, interpretation, expected, received, exchange and curl into a failure', () => {
  const [failure] = caseOf('thread.create.id-uuid').children
  expect(failure?.attributes).toEqual({
    message: expect.stringMatching(/^thread_id is not a UUID: expected a UUID as a string, received /),
    type: 'fail',
  })
  for (const text of [
    'requirement: The id of a thread is a UUID',
    'interpretation: Any version of UUID is allowed',
    'expected: a UUID as a string',
    'received: ',
    'POST http://127.0.0.1:8123/threads',
    'curl: curl -sS',
    'verdicts: custom-auth: 1 pass; open: 1 fail',
  ])
    expect(failure?.text).toContain(text)
})

test('escapes texts from a server, and characters that XML cannot contain', () => {
  const text = caseOf('thread.create.id-uuid').children[0]?.text
  expect(text).toContain('</failure>]]> <script>alert("x")</script>')
  expect(text).toContain('\\x1b[2J')
  expect(text).toContain('\\x00 \\u{202e} \\u{d800} \\u{ffff} 👩‍🚀')
})

test('does not count a flaky SHOULD as a failure', () => {
  const report = reportOf([withLevel('MUST', 'pass'), withLevel('SHOULD', 'flaky')])
  expect(report.verdict.exitCode).toBe(0)
  expect(parse(renderJunit(report)).attributes).toMatchObject({ tests: '2', failures: '0' })
})

test('shows why a test case is skipped', () => {
  const message = (id: string) => caseOf(id).children[0]?.attributes['message']
  expect(message('run.list.order')).toBe('blocked: blocked by thread.create.id-uuid')
  expect(message('auth.scope.threads')).toBe(
    'inconclusive: the endpoint declares no users; to test: set endpoints.open.users in the configuration',
  )
  expect(message('auth.studio')).toBe('inconclusive: accepted: no studio users here')
  expect(message('credentials.stored')).toBe('excluded: cannot be seen from outside')
})

test('adds up the totals of the suites', () => {
  const { attributes, children } = parse(renderJunit(exampleReport))
  expect(attributes).toMatchObject({ tests: '16', failures: '4', errors: '3', skipped: '6' })
  expect(children.map((suite) => [suite.attributes['name'], suite.attributes['tests']])).toEqual([
    ['A', '12'],
    ['B', '1'],
    ['run', '3'],
  ])
})

test('reports an error if nothing was tested', () => {
  const { attributes } = parse(renderJunit(reportOf([], { problems: ['nothing listens there'] })))
  expect(attributes).toMatchObject({ tests: '1', errors: '1' })
})

test('leaves out the suite "run" if there are no problems', () => {
  const { attributes, children } = parse(renderJunit(greenReport))
  expect(attributes).toMatchObject({ tests: '2', failures: '0', errors: '0', skipped: '0' })
  expect(children.map((suite) => suite.attributes['name'])).toEqual(['A'])
})
