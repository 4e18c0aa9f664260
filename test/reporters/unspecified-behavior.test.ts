import { expect, test } from 'vitest'
import { isAlike, renderUnspecifiedBehavior } from '../../reporters/unspecified-behavior.ts'

const order = { id: 'run.list.order', section: 'Runs', statement: 'In which order runs are listed.' }
const code = { id: 'run.status-code', section: 'Runs', statement: 'Which status.' }
const implementations = [
  { name: 'one', observed: { 'run.list.order': 'newest first', 'run.status-code': '200' } },
  { name: 'two', observed: { 'run.list.order': 'oldest first', 'run.status-code': '200' } },
  { name: 'three', observed: { 'run.list.order': 'newest first', 'run.status-code': '200' } },
]

test('groups implementations that behave alike', () => {
  expect(renderUnspecifiedBehavior([order], implementations)).toContain(
    '| ≠ | In which order runs are listed.<br>`run.list.order` | **one, three:** `newest first`<br>**two:** `oldest first` |',
  )
})

test('marks a point on which all implementations agree', () => {
  expect(renderUnspecifiedBehavior([code], implementations)).toContain(
    '| = | Which status.<br>`run.status-code` | **all:** `200` |',
  )
  expect([order, code].map((point) => isAlike(point, implementations))).toEqual([false, true])
})

test('names each endpoint if they differ, and marks missing observations', () => {
  const guarded = { name: 'one', observed: { 'run.list.order': { open: '200 a|b', 'custom-auth': '404' } } }

  expect(renderUnspecifiedBehavior([order], [guarded, { name: 'two', observed: {} }])).toContain(
    '**one:** `200 a\\|b` (open), `404` (custom-auth)<br>**two:** not observed |',
  )
})

test('lists the behavior of a single implementation', () => {
  const page = renderUnspecifiedBehavior([order], implementations.slice(0, 1))

  expect(page).toContain('| point | one |\n| --- | --- |\n')
  expect(page).toContain('| In which order runs are listed.<br>`run.list.order` | `newest first` |')
})

test('orders sections as their first points', () => {
  const other = { ...code, section: 'Errors' }
  expect(
    [...renderUnspecifiedBehavior([order, other], implementations).matchAll(/^## (.*)$/gm)].map(([, name]) => name),
  ).toEqual(['Runs', 'Errors'])
})
