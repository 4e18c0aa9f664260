import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { expect, test } from 'vitest'
import { renderHtml } from '../../../reporters/html/render.ts'
import type { Report } from '../../../reporters/model/report.ts'
import { exampleReport, exchange, greenReport, longBody, outcome, reportOf, row, rows } from '../example-report.ts'
import { anyReport } from './any-report.ts'

type Element = DefaultTreeAdapterTypes.Element

/** Parses a page as a browser does, and tells what the HTML standard calls an error in it. */
function read(text: string): { elements: Element[]; errors: string[] } {
  const errors: string[] = []
  const document = parse(text, { onParseError: ({ code, startLine }) => errors.push(`${code} in line ${startLine}`) })
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
  return element.attrs.find((it) => it.name === name)?.value
}

function textOf(node: DefaultTreeAdapterTypes.Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

function byId(report: Report, id: string): string {
  const found = read(renderHtml(report)).elements.find((element) => attribute(element, 'id') === id)
  return found === undefined ? '' : textOf(found).replace(/\s+/g, ' ')
}

const page = renderHtml(exampleReport)

/** What the page's own style sheet and script make of a report without rows. */
const ownTags = ['script', 'style', 'meta'].map((tag) => [tag, count(read(renderHtml(reportOf([]))).elements, tag)])

function count(elements: readonly Element[], tag: string): number {
  return elements.filter(({ tagName }) => tagName === tag).length
}

test('any report makes a page without an error, a second script or an address of another place', () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      const { elements, errors } = read(renderHtml(report))
      expect(errors).toEqual([])
      expect(['script', 'style', 'meta'].map((tag) => [tag, count(elements, tag)])).toEqual(ownTags)
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

test('any report has every id of the page once, and every link inside it leads somewhere', () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      const { elements } = read(renderHtml(report))
      const ids = elements.flatMap((element) => attribute(element, 'id') ?? [])
      expect(new Set(ids).size).toBe(ids.length)
      const aims = elements.flatMap((element) => attribute(element, 'href')?.slice(1) ?? [])
      expect(aims.filter((aim) => !aim.startsWith('?') && !ids.includes(aim))).toEqual([])
      for (const name of ids) expect(name).toMatch(/^\S+$/)
    }),
    { numRuns: 60 },
  )
})

test('nothing that could steer the eye or the parser stays as it is', () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      expect(renderHtml(report).replaceAll(/[\n\t]/g, '')).not.toMatch(
        /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u,
      )
    }),
    { numRuns: 60 },
  )
})

test('what looks like markup is shown as it was sent', () => {
  const markup = fc.string({
    unit: fc.constantFrom('<', '>', '&', '"', "'", ';', '#', 'b', '/', '!', '-'),
    minLength: 1,
  })
  fc.assert(
    fc.property(markup, (sent) => {
      expect(byId(reportOf([row('a.b', 'pass', { interpretation: `.${sent}.` })]), 'a.b')).toContain(`.${sent}.`)
    }),
  )
})

test('the policy of the page allows its own script and style sheet, and nothing else', () => {
  const policies = read(page).elements.filter((element) => attribute(element, 'http-equiv') !== undefined)
  expect(policies.map((element) => attribute(element, 'content'))).toEqual([
    expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[^' ]+'; script-src 'sha256-[^' ]+'; base-uri 'none'; form-action 'none'$/,
    ),
  ])
})

test('the sentence is the first heading; numbers stand beside every verdict, and no percentage', () => {
  const { elements } = read(page)
  const heading = elements.find(({ tagName }) => tagName === 'h1')
  expect(heading && textOf(heading)).toBe(exampleReport.verdict.sentence)
  const legend = elements.filter((element) => attribute(element, 'href')?.startsWith('#?verdict='))
  expect(legend.map(textOf).map((text) => text.slice(0, 5))).toEqual(expect.arrayContaining(['2fail', '1flak']))
  const text = elements.filter(({ tagName }) => tagName === 'body').map(textOf)
  expect(text.join('').replace(/\(\(\)=>.*$/s, '')).not.toContain('%')
})

test('what was tested: endpoint, profiles, redacted headers, suite, register, seed, test graphs, repeats, shard, selection', () => {
  const tested = byId(exampleReport, 'tested')
  for (const fact of ['example 1.2.0', '127.0.0.1:8123', 'x-api-key: [redacted]', 'touchstone 0.1.0', 'f00df00df00d'])
    expect(tested).toContain(fact)
  for (const fact of [
    'Seed42',
    'Test graphsrevision 1',
    'Repeats3',
    'Shard1/2',
    'Selection--area A',
    'InterruptedSIGINT',
  ])
    expect(tested).toContain(fact)
  expect(tested).toContain('2026-03-01 10:00:00 UTC')
})

test('sections come in the order in which a reader acts on them', () => {
  const titles = read(page).elements.filter(({ tagName }) => tagName === 'h2')
  expect(titles.map(textOf)).toEqual([
    'Requirements by verdict',
    'What was tested',
    'Problems of the run 1',
    'Stale baseline entries 1',
    'Failures 4',
    'Known failures 1',
    'Advised, not met 1',
    'Blocked 1',
    'Could not run 1',
    'Accepted gaps 1',
    'Silence ledger 1',
    'All requirements 13',
  ])
})

test('a failure shows requirement, interpretation, expected, received, both exchanges, the stream and curl', () => {
  const card = byId(exampleReport, 'thread.create.id-uuid')
  for (const part of [
    'thread_id is no UUID',
    'The id of a thread is a UUID',
    'Any version of UUID will do',
    'Threads & runs (MUST, area A)',
    'custom-auth: pass; open: fail',
    'a UUID as a string',
    '\\x1b[2J\\x1b]0;owned\\x07',
    '/threads/t/runs/stream: 2 events in 9 ms',
    '4.2 ms+4.2 msmetadata',
    '9 ms+4.8 msupdates',
    'GET /assistants',
    'x-api-key: [redacted]',
    `-H "x-api-key: $TOUCHSTONE_API_KEY"`,
  ])
    expect(card).toContain(part)
})

test('a setting that unlocks, an accepted gap and an observation are told with their reasons', () => {
  expect(byId(exampleReport, 'inconclusive')).toContain('endpoints.open.users in the configuration')
  expect(byId(exampleReport, 'inconclusive')).toContain('the endpoint declares no users')
  expect(byId(exampleReport, 'accepted')).toContain('auth.studio: no studio users here')
  expect(byId(exampleReport, 'silence')).toContain('What run.reject.answer asks for409 |')
})

test('an exchange that two rows share is shown whole once', () => {
  const evidence = { exchanges: [exchange({ responseBody: 'the only answer' })] }
  const shared = ['a.one', 'a.two'].map((id) =>
    row(id, 'fail', { outcomes: [outcome('fail', { evidence, failure: { message: id } })] }),
  )
  expect(renderHtml(reportOf(shared)).match(/the only answer/g)).toHaveLength(1)
  expect(byId(reportOf(shared), 'a.two')).toContain('Shown whole further up')
})

test('polling is one line that says how often', () => {
  const polled = exchange({ method: 'GET', url: 'http://127.0.0.1:8123/threads/t/runs/r' })
  const evidence = { exchanges: [exchange(), polled, { ...polled, durationMs: 9 }, { ...polled, durationMs: 8 }] }
  const report = reportOf([row('a.b', 'fail', { outcomes: [outcome('fail', { evidence })] })])
  expect(byId(report, 'a.b')).toContain('GET /threads/t/runs/r 3 times alike')
})

test('a failure links to its replay where there is one', () => {
  const replay = (id: string) =>
    id === 'thread.create.id-uuid' ? { sh: `replay/${id}.sh`, har: `replay/${id}.har` } : undefined
  const { elements } = read(renderHtml(exampleReport, { replay }))
  const links = elements.flatMap((element) => attribute(element, 'href') ?? []).filter((href) => !href.startsWith('#'))
  expect(links).toEqual(['replay/thread.create.id-uuid.sh', 'replay/thread.create.id-uuid.har'])
})

test('a conformant run says that nothing fails; an empty one that nothing was judged', () => {
  expect(byId(greenReport, 'main')).toContain('Nothing that was judged fails.')
  expect(byId(reportOf([]), 'main')).toContain('No requirement was judged.')
  for (const report of [reportOf([]), exampleReport, { ...greenReport, ...reportOf([], { problems: ['lost'] }) }])
    expect(byId(report, 'main')).not.toContain('Nothing that was judged fails.')
})

test('the same report makes the same page', () => {
  expect(renderHtml(exampleReport)).toBe(page)
})

test('a huge report stays under 1 MB, keeps every row and says that evidence is cut', () => {
  const long = longBody.slice(0, 20_000)
  const failing = outcome('fail', {
    failure: { message: long, expected: long, received: long },
    evidence: { exchanges: [exchange({ responseBody: long })] },
  })
  const many = Array.from({ length: 400 }, (_, index) =>
    row(`a.${index}`, 'fail', {
      outcomes: [{ ...failing, evidence: { exchanges: [exchange({ responseBody: `${index}${long}` })] } }],
    }),
  )
  const text = renderHtml(reportOf([...rows, ...many]))
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000)
  expect(text).toContain('Evidence is shortened')
  const ids = read(text).elements.flatMap((element) => attribute(element, 'id') ?? [])
  for (const { id } of many) expect(ids).toContain(id)
})
