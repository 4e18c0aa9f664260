import { expect, test } from 'vitest'
import { createProgress } from '../../reporters/progress.ts'

function stream(terminal: { isTTY?: boolean; columns?: number } = {}) {
  const written: string[] = []
  return { ...terminal, written, write: (text: string) => written.push(text) }
}

test('rewrites one line on a terminal and clears it at the end', () => {
  const output = stream({ isTTY: true, columns: 60 })
  const progress = createProgress(2, output)
  progress('creates threads')
  progress('joins runs')
  progress.end()
  expect(output.written).toEqual([
    '\r\u001b[2K1 of 2 checks: creates threads',
    '\r\u001b[2K2 of 2 checks: joins runs',
    '\r\u001b[2K',
  ])
})

test('truncates the line to the width of the terminal', () => {
  const output = stream({ isTTY: true, columns: 30 })
  createProgress(2, output)('creates threads')
  expect(output.written).toEqual(['\r\u001b[2K1 of 2 checks: creates threa…'])
})

test('writes one line per tenth to a log', () => {
  const output = stream()
  const progress = createProgress(25, output)
  for (let index = 0; index < 25; index += 1) progress(`check ${index}`)
  progress.end()
  expect(output.written).toEqual([...[3, 6, 9, 12, 15, 18, 21, 24, 25].map((count) => `${count} of 25 checks\n`)])
})
