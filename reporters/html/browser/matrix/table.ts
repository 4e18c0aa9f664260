import { create, prose } from '../../../../pages/browser/create.ts'
import {
  labelOf,
  type Matrix,
  type MatrixRequirement,
  type MatrixResult,
  type MatrixServer,
} from '../../../matrix/matrix.ts'
import { plural } from '../../../model/text.ts'
import { verdictOrder } from '../../../model/verdict.ts'

/** What the table shows. */
export interface View {
  matrix: Matrix
  /** The rows that match the filters. */
  rows: readonly MatrixRequirement[]
  /** The sections whose rows are visible. */
  open: ReadonlySet<string>
  /** Whether there is no place for texts in the cells. */
  isDense: boolean
  /** Returns the URL of an anchor with the filters of the page. */
  hrefOf: (anchor: string) => string
  onToggle: (section: string) => void
}

/** The table of a view, with one body for each section. */
export function renderTable(view: View): HTMLTableElement {
  const { matrix, rows, isDense } = view
  const corner = create(
    'th',
    { scope: 'col' },
    'Requirement',
    create('small', {}, 'Each section shows its worst verdict.'),
  )
  const head = create(
    'thead',
    {},
    create(
      'tr',
      {},
      corner,
      ...matrix.servers.map((server, index) => columnHead(server, knownFailures(matrix, index))),
    ),
  )
  const sections = new Set(rows.map(({ section }) => section))
  const bodies = [...sections].map((section) => renderSection(view, section))
  const table = create('table', { className: isDense ? 'matrix dense' : 'matrix' }, head, ...bodies)
  if (!isDense) table.style.minWidth = `calc(var(--first) + ${matrix.servers.length} * 10rem)`
  return table
}

/** A section with its heading; its rows are created only if it is open. */
export function renderSection(view: View, section: string): HTMLTableSectionElement {
  const { matrix, open, onToggle } = view
  const rows = view.rows.filter((row) => row.section === section)
  const all = matrix.requirements.filter((row) => row.section === section).length
  const isOpen = open.has(section)
  const count = rows.length === all ? String(all) : `${rows.length} of ${all}`
  const path = section.split(' / ')
  const name = path.pop() ?? ''
  const button = create(
    'button',
    { type: 'button', ariaExpanded: String(isOpen), onclick: () => onToggle(section) },
    ...path.map((part) => `${part} / `),
    create('b', {}, name),
    ' ',
    create('span', { className: 'dim' }, count),
  )
  const title = create('th', { scope: 'rowgroup' }, button)
  const summaries = matrix.servers.map((_, index) => summaryCell(rows.flatMap(({ results }) => results[index] ?? [])))
  const heading = create('tr', { className: 'heading' }, title, ...summaries)
  return create('tbody', {}, heading, ...(isOpen ? rows.map((row) => renderRow(view, row)) : []))
}

/** The results of a row: those of one server, or of all, grouped by what happened. */
export function renderDetail({ matrix }: View, row: MatrixRequirement, serverId: string): HTMLTableRowElement {
  const results = matrix.servers.flatMap((server, index) => {
    const result = row.results[index]
    return result && (serverId === '' || server.id === serverId) ? [{ server, result }] : []
  })
  const groups = [...Map.groupBy(results, ({ result }) => `${result.verdict} ${result.text}`).values()]
  const content = groups.map((group) => create('li', {}, ...detailOf(row, group)))
  const box = create(
    'div',
    { className: 'box' },
    create('p', {}, ...prose(row.statement)),
    create('ul', {}, ...content),
  )
  return create('tr', { className: 'detail' }, create('td', { colSpan: matrix.servers.length + 1 }, box))
}

function detailOf(row: MatrixRequirement, group: { server: MatrixServer; result: MatrixResult }[]): (Node | string)[] {
  const names = group.map(({ server }) => {
    const label = labelOf(server)
    const href = `${server.page}#${encodeURIComponent(row.id)}`
    return server.page === undefined ? label : create('a', { href, title: 'Show it in the report' }, label)
  })
  const [first] = group
  const text = first?.result.text
  return [
    create('span', { className: `v ${first?.result.verdict}` }, first?.result.verdict ?? ''),
    ...names.flatMap((name, index) => [index === 0 ? ' ' : ', ', name]),
    ...(text === undefined ? [] : [create('p', {}, ...prose(text))]),
  ]
}

function knownFailures({ requirements }: Matrix, index: number): number {
  return requirements.filter(({ results }) => results[index]?.verdict === 'expected-fail').length
}

function columnHead(server: MatrixServer, known: number): HTMLElement {
  const { name, version = '', sentence, exitCode, page, isOwn } = server
  const [word = ''] = sentence.split(/:| for /)
  const result = known === 0 ? word : `${word}, ${plural(known, 'known failure')}`
  return create(
    'th',
    {
      scope: 'col',
      // A baseline makes a server conformant that does not meet every requirement.
      className: exitCode === 0 && known > 0 ? 'expected-fail' : `exit-${exitCode}`,
      title: `${labelOf(server)}: ${sentence}`,
    },
    create('span', { className: 'name' }, `${name.replaceAll('/', '/\u200b')} ${version}`),
    create('span', { className: 'result' }, page === undefined ? result : create('a', { href: page }, result)),
    ...(isOwn ? [create('span', { className: 'l' }, 'your report')] : []),
  )
}

const observed = verdictOrder.indexOf('observed')
/** From worst to best. A known failure is a failure, and passed requirements say more than unspecified behavior. */
const order: readonly string[] = [
  'fail',
  'expected-fail',
  ...verdictOrder.slice(0, observed),
  'pass',
  ...verdictOrder.slice(observed),
  'accepted',
]

/** The worst verdict of a section and how often it occurs. */
function summaryCell(results: readonly MatrixResult[]): HTMLElement {
  const verdict = order.find((name) => results.some((result) => result.verdict === name))
  if (verdict === undefined) return create('td', {}, '–')
  const count = results.filter((result) => result.verdict === verdict).length
  const label = create('span', { className: `v ${verdict}`, title: `${count} ${verdict}` }, String(count))
  label.append(create('span', { className: 'hidden' }, ` ${verdict}`))
  return create('td', {}, label)
}

function renderRow(view: View, row: MatrixRequirement): HTMLTableRowElement {
  const { id, level, statement, results, firstPassing = {} } = row
  const { matrix, isDense, hrefOf } = view
  const link = create('a', { id: `cell:${id}`, href: hrefOf(id) }, create('code', {}, id.replaceAll('.', '.\u200b')))
  const notes = Object.entries(firstPassing).map(([name, version]) =>
    create('span', { className: 'since' }, `${name}: first passes in ${version}`),
  )
  const head = create(
    'th',
    { scope: 'row' },
    link,
    ' ',
    create('span', { className: 'l' }, level),
    create('small', {}, ...prose(statement)),
    ...notes,
  )
  const cells = matrix.servers.map((server, index) => {
    const result = results[index]
    if (result == null) return create('td', { title: 'not in this report' }, '–')
    const { verdict, text } = result
    const anchor = `${id}--${server.id}`
    const cell = create('a', { id: `cell:${anchor}`, href: hrefOf(anchor), className: `v ${verdict}` })
    if (isDense) cell.ariaLabel = verdict
    else cell.append(verdict)
    if (isDense || text === undefined) return create('td', {}, cell)
    // What was expected is the statement of the row.
    return create('td', {}, cell, create('small', {}, ...prose(text.replace(/^.*, (?=received )/s, ''))))
  })
  return create('tr', {}, head, ...cells)
}
