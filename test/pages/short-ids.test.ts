import { expect, test } from 'vitest'
import { shortenIds } from '../../pages/short-ids.ts'

test('ids in a text are shortened, and known', () => {
  const id = '01a208e8-34e3-71de-87b9-182bd2ff8544'

  expect(shortenIds(`/threads/${id}/state`)).toEqual([
    { text: '/threads/' },
    { text: '01a208e8…', id },
    { text: '/state' },
  ])
})
