import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { expect, test } from 'vitest'
import { renderHtml } from '../../../reporters/html/page.ts'
import type { Report } from '../../../reporters/model/report.ts'
import {
  exampleReport,
  exchange,
  greenReport,
  longBody,
  outcome,
  reportOf,
  requirement,
  requirements,
} from '../example-report.ts'
import { anyReport } from './any-report.ts'

type Element = DefaultTreeAdapterTypes.Element

/** Parses a page like a browser without scripts, and collects the parse errors of the HTML standard. */
function parsePage(text: string): { elements: Element[]; errors: string[] } {
  const errors: string[] = []
  const document = parse(text, {
    scriptingEnabled: false,
    onParseError: ({ code, startLine }) => errors.push(`${code} in line ${startLine}`),
  })
  const elements: Element[] = []
  const walk = (node: DefaultTreeAdapterTypes.ParentNode): void => {
    for (const child of node.childNodes) {
      if (!('tagName' in child)) continue
      elements.push(child)
      walk(child)
    }
  }
  walk(document)
  return { elements, errors }
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value
}

function textOf(node: DefaultTreeAdapterTypes.Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

function textById(report: Report, id: string): string {
  const element = parsePage(renderHtml(report)).elements.find((candidate) => attribute(candidate, 'id') === id)
  return element === undefined ? '' : textOf(element).replace(/\s+/g, ' ')
}

const page = renderHtml(exampleReport)

/** The number of scripts, style sheets and meta elements in the page of an empty report. */
const expectedTags = ['script', 'style', 'meta'].map((tag) => [
  tag,
  count(parsePage(renderHtml(reportOf([]))).elements, tag),
])

function count(elements: readonly Element[], tag: string): number {
  return elements.filter(({ tagName }) => tagName === tag).length
}

test('renders any report without parse errors, additional scripts or external URLs', () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      const { elements, errors } = parsePage(renderHtml(report))
      expect(errors).toEqual([])
      expect(['script', 'style', 'meta'].map((tag) => [tag, count(elements, tag)])).toEqual(expectedTags)
      for (const element of elements) {
        for (const { name, value } of element.attrs) {
          expect(name).not.toMatch(/^on|^(?:src|srcset|style|action)$/)
          if (name === 'href') expect(value).toMatch(/^#/)
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('renders any report with unique ids and without broken links', () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      const { elements } = parsePage(renderHtml(report))
      const ids = elements.flatMap((element) => attribute(element, 'id') ?? [])
      expect(new Set(ids).size).toBe(ids.length)
      const targets = elements.flatMap((element) => attribute(element, 'href')?.slice(1) ?? [])
      expect(targets.filter((target) => !target.startsWith('?') && !ids.includes(target))).toEqual([])
      for (const name of ids) expect(name).toMatch(/^\S+$/)
    }),
    { numRuns: 60 },
  )
})

test('escapes control characters and bidirectional controls', () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      expect(renderHtml(report).replaceAll(/[\n\t]/g, '')).not.toMatch(
        /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u,
      )
    }),
    { numRuns: 60 },
  )
})

test('shows texts that look like markup unchanged', () => {
  const markup = fc.string({
    unit: fc.constantFrom('<', '>', '&', '"', "'", ';', '#', 'b', '/', '!', '-'),
    minLength: 1,
  })
  fc.assert(
    fc.property(markup, (sent) => {
      const report = reportOf([requirement('a.b', 'pass', { statement: `.${sent}.` })])
      expect(textById(report, 'requirements')).toContain(`.${sent}.`)
    }),
  )
})

test('allows only its own script and style sheet in its content security policy', () => {
  const policies = parsePage(page).elements.filter((element) => attribute(element, 'http-equiv') !== undefined)
  expect(policies.map((element) => attribute(element, 'content'))).toEqual([
    expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[^' ]+'; script-src 'sha256-[^' ]+'; base-uri 'none'; form-action 'none'$/,
    ),
  ])
})

test('shows the sentence as heading, a number for every verdict, and no percentage', () => {
  const { elements } = parsePage(page)
  const heading = elements.find(({ tagName }) => tagName === 'h1')
  expect(heading && textOf(heading)).toBe(exampleReport.verdict.sentence)
  const legend = elements.filter((element) => attribute(element, 'href')?.startsWith('#?verdict='))
  expect(legend.map(textOf).map((text) => text.slice(0, 5))).toEqual(
    expect.arrayContaining(['2 fai', '1 fla', '1 acc']),
  )
  const main = elements
    .filter(({ tagName }) => ['header', 'aside', 'summary', 'dl', 'table'].includes(tagName))
    .map(textOf)
  expect(main.join('')).not.toContain('%')
})

test('shows what was tested', () => {
  const tested = textById(exampleReport, 'tested')
  for (const fact of ['example 1.2.0', '127.0.0.1:8123', 'x-api-key: [redacted]', 'touchstone 0.1.0', 'f00df00df00d'])
    expect(tested).toContain(fact)
  for (const fact of [
    'Seed42',
    'Test graphsrevision 1',
    'Repeats3',
    'Shard1/2',
    'Exit code1',
    'Selection--area A',
    'InterruptedSIGINT',
  ])
    expect(tested).toContain(fact)
  expect(tested).toContain('2026-03-01 10:00:00 UTC')
})

test('orders the sections by importance', () => {
  const titles = parsePage(page).elements.filter(({ tagName }) => tagName === 'h2')
  expect(titles.map(textOf)).toEqual([
    'What was tested',
    'Problems of the run 1',
    'Stale baseline entries 1',
    'Failures 4',
    'Inconclusive 1',
    'Warnings 1',
    'Known failures 1',
    'Accepted gaps 1',
    'By area and level',
    'Coverage of the specification',
    'Unspecified behavior 1',
    'All other requirements 12',
  ])
})

test('shows all details of a failure', () => {
  const card = textById(exampleReport, 'thread.create.id-uuid')
  for (const part of [
    'thread_id is not a UUID',
    'The id of a thread is a UUID',
    'Any version of UUID is allowed',
    'Threads & runs (MUST, area A)',
    'npx touchstone explain thread.create.id-uuid',
    'custom-auth: pass; open: fail',
    'a UUID as a string',
    '\\x1b[2J\\x1b]0;owned\\x07',
    '/threads/t/runs/stream: 2 events in 9 ms',
    '4.2 ms+4.2 msmetadata',
    '9 ms+4.8 msupdates',
    'GET /assistants',
    'x-api-key: $TOUCHSTONE_API_KEY',
    `-H "x-api-key: $TOUCHSTONE_API_KEY"`,
  ])
    expect(card).toContain(part)
})

test('does not repeat what the headline of a card shows', () => {
  const card = (expected: string, received: string) => {
    const failure = { message: `expected the status to be ${expected}, received ${received}`, expected, received }
    return textById(reportOf([requirement('a.b', 'fail', { outcomes: [outcome('fail', { failure })] })]), 'a.b')
  }
  expect(card('"pending"', 'null').match(/"pending"/g)).toHaveLength(1)
  expect(card('"pending, as text"', '"pending, as word"').match(/"pending, as text"/g)).toHaveLength(2)
  expect(card('"pending"', 'x'.repeat(400)).match(/x{400}/g)).toHaveLength(1)
})

test('shows whether a requirement fails in all cases or in some', () => {
  const card = (failed: number) =>
    textById(reportOf([requirement('a.b', 'fail', { outcomes: [outcome('fail', { exercised: 12, failed })] })]), 'a.b')
  expect(card(12)).toContain('on open fails in all 12 cases, the first is shown; check: a thread is created')
  expect(card(3)).toContain('on open fails in 3 of 12 cases, the first is shown; check: a thread is created')
})

test('shows missing settings, accepted gaps and observations', () => {
  expect(textById(exampleReport, 'inconclusive')).toContain('endpoints.open.users in the configuration')
  expect(textById(exampleReport, 'inconclusive')).toContain('the endpoint declares no users')
  expect(textById(exampleReport, 'accepted')).toContain('auth.studio: no studio users here')
  expect(textById(exampleReport, 'unspecified')).toContain('Statement of run.reject.answer409 |')
})

test('shows a cause with the other requirements that fail by it and those that it blocks, by section', () => {
  const failure = { message: 'expected a list, received null' }
  const failing = ['a.one', 'a.two'].map((id) => requirement(id, 'fail', { outcomes: [outcome('fail', { failure })] }))
  const blocked = ['b.one', 'b.two', 'b.three'].map((id) =>
    requirement(id, 'blocked', { section: 'Threads', outcomes: [outcome('blocked', { blockedBy: 'a.two' })] }),
  )
  const report = reportOf([...failing, ...blocked])
  expect(textById(report, 'failures')).toContain('2 requirements fail by 1 cause.')
  const card = textById(report, 'a.one')
  expect(card).toMatch(/2 requirementsfixing this unblocks 3.*Expecteda listReceivednull/)
  expect(card).toContain('Same cause: 1 more requirementa.two Statement of a.two')
  expect(card).toContain('Blocked: 3 requirementsThreads b.one b.two b.three')
  expect(renderHtml(report)).not.toContain('id="blocked"')
})

test('marks what differs in long values that are alike', () => {
  const failure = {
    message: 'no list',
    expected: '{"thread": "a", "values": []}',
    received: '{"thread": "a", "values": null}',
  }
  const text = renderHtml(reportOf([requirement('a.b', 'fail', { outcomes: [outcome('fail', { failure })] })]))
  expect(text).toContain('"values": <mark>[]</mark>}')
  expect(text).toContain('"values": <mark>null</mark>}')
})

test('shortens ids in responses, and hides headers of the connection', () => {
  const id = '0d1b7e3e-52ab-4f0f-9d55-1f4b6f1c1a11'
  const shown = exchange({ responseBody: `{"thread_id":"${id}"}`, responseHeaders: { date: 'today', location: '/' } })
  const report = reportOf([
    requirement('a.b', 'fail', { outcomes: [outcome('fail', { evidence: { exchanges: [shown] } })] }),
  ])
  expect(renderHtml(report)).toContain(`<abbr title="${id}">0d1b7e3e…</abbr>`)
  expect(textById(report, 'a.b')).toContain('location: /')
  expect(textById(report, 'a.b')).not.toContain('today')
})

test('combines polling to one line with the number of requests', () => {
  const polled = exchange({ method: 'GET', url: 'http://127.0.0.1:8123/threads/t/runs/r' })
  const evidence = { exchanges: [exchange(), polled, { ...polled, durationMs: 9 }, { ...polled, durationMs: 8 }] }
  const report = reportOf([requirement('a.b', 'fail', { outcomes: [outcome('fail', { evidence })] })])
  expect(textById(report, 'a.b')).toContain('GET /threads/t/runs/r 3 times')
})

test('links a failure to its replay files', () => {
  const replay = (id: string) =>
    id === 'thread.create.id-uuid' ? { sh: `replay/${id}.sh`, har: `replay/${id}.har` } : undefined
  const { elements } = parsePage(renderHtml(exampleReport, { replay }))
  const links = elements.flatMap((element) => attribute(element, 'href') ?? []).filter((href) => !href.startsWith('#'))
  expect(links).toEqual(['replay/thread.create.id-uuid.sh', 'replay/thread.create.id-uuid.har'])
})

test('says that no requirement fails, or that none was tested', () => {
  expect(textById(greenReport, 'main')).toContain('No tested requirement fails.')
  expect(textById(reportOf([]), 'top')).toContain('No requirement was tested.')
  for (const report of [reportOf([]), exampleReport, { ...greenReport, ...reportOf([], { problems: ['lost'] }) }])
    expect(textById(report, 'main')).not.toContain('No tested requirement fails.')
})

test('opens the warnings of a run without failures', () => {
  const warning = requirement('a.b', 'warning', { level: 'SHOULD' })
  const tagOf = (report: Report) =>
    parsePage(renderHtml(report)).elements.find((element) => attribute(element, 'id') === 'warnings')?.tagName
  expect(tagOf(reportOf([requirement('a.a', 'pass'), warning]))).toBe('section')
  expect(tagOf(reportOf([requirement('a.a', 'fail'), warning]))).toBe('details')
  expect(textById(reportOf([requirement('a.a', 'pass'), warning]), 'main')).not.toContain(
    'No tested requirement fails.',
  )
})

test('renders equal reports as equal pages', () => {
  expect(renderHtml(exampleReport)).toBe(page)
})

test('keeps a huge report under 1 MB with the request of every failure and a note about truncated evidence', () => {
  const long = longBody.slice(0, 20_000)
  const many = Array.from({ length: 300 }, (_, index) =>
    requirement(`a.${index}`, 'fail', {
      outcomes: [
        outcome('fail', {
          failure: { message: `${index} ${long}`, expected: long, received: long },
          evidence: { exchanges: [exchange({ responseBody: `${index}${long}` })] },
        }),
      ],
    }),
  )
  const text = renderHtml(reportOf([...requirements, ...many]))
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000)
  expect(text).toContain('Long evidence is truncated')
  expect(text.match(/<p class="label">Response</g)?.length).toBeGreaterThanOrEqual(many.length)
  const ids = parsePage(text).elements.flatMap((element) => attribute(element, 'id') ?? [])
  for (const { id } of many) expect(ids).toContain(id)
})

test('shows how many statements of each section the run tested', () => {
  const text = textById(exampleReport, 'specification')

  expect(text).toContain('Events161024')
  expect(textById(greenReport, 'specification')).toBe('')
})
