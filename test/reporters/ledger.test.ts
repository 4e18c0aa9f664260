import { expect, test } from 'vitest'
import { isAlike, renderLedger } from '../../reporters/ledger.ts'

const order = { id: 'run.list.order', section: 'Runs', statement: 'In which order runs are listed.' }
const code = { id: 'run.status-code', section: 'Runs', statement: 'Which status.' }
const implementations = [
  { name: 'one', observed: { 'run.list.order': 'newest first', 'run.status-code': '200' } },
  { name: 'two', observed: { 'run.list.order': 'oldest first', 'run.status-code': '200' } },
  { name: 'three', observed: { 'run.list.order': 'newest first', 'run.status-code': '200' } },
]

test('implementations that do the same stand together', () => {
  expect(renderLedger([order], implementations)).toContain(
    '| ≠ | In which order runs are listed.<br>`run.list.order` | **one, three:** `newest first`<br>**two:** `oldest first` |',
  )
})

test('a point on which all do the same is marked', () => {
  expect(renderLedger([code], implementations)).toContain('| = | Which status.<br>`run.status-code` | **all:** `200` |')
  expect([order, code].map((point) => isAlike(point, implementations))).toEqual([false, true])
})

test('each endpoint is told where they differ, and that nothing was observed', () => {
  const guarded = { name: 'one', observed: { 'run.list.order': { open: '200 a|b', 'custom-auth': '404' } } }

  expect(renderLedger([order], [guarded, { name: 'two', observed: {} }])).toContain(
    '**one:** `200 a\\|b` (open), `404` (custom-auth)<br>**two:** not observed |',
  )
})

test('of one implementation alone it is told what it does', () => {
  const page = renderLedger([order], implementations.slice(0, 1))

  expect(page).toContain('| open point | one |\n| --- | --- |\n')
  expect(page).toContain('| In which order runs are listed.<br>`run.list.order` | `newest first` |')
})

test('sections come in the order of their points', () => {
  const other = { ...code, section: 'Errors' }
  expect([...renderLedger([order, other], implementations).matchAll(/^## (.*)$/gm)].map(([, name]) => name)).toEqual([
    'Runs',
    'Errors',
  ])
})
