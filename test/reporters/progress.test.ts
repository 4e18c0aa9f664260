import { expect, test } from 'vitest'
import { createProgress } from '../../reporters/progress.ts'

function stream(terminal: { isTTY?: boolean; columns?: number } = {}) {
  const written: string[] = []
  return { ...terminal, written, write: (text: string) => written.push(text) }
}

test('a terminal gets one line that is rewritten and cleared at the end', () => {
  const out = stream({ isTTY: true, columns: 60 })
  const progress = createProgress(2, out)
  progress({ id: 'thread.create.id', verdict: 'pass' })
  progress({ id: 'run.join.waits', verdict: 'fail' })
  progress.end()
  expect(out.written).toEqual([
    '\r\u001b[2K1 of 2 decided: thread.create.id',
    '\r\u001b[2K2 of 2 decided, 1 fail: run.join.waits',
    '\r\u001b[2K',
  ])
})

test('the line fits the terminal', () => {
  const out = stream({ isTTY: true, columns: 30 })
  createProgress(2, out)({ id: 'a-very-long.requirement.name', verdict: 'pass' })
  expect(out.written).toEqual(['\r\u001b[2K1 of 2 decided: a-very-long.…'])
})

test('a log gets a line for each tenth', () => {
  const out = stream()
  const progress = createProgress(25, out)
  for (let row = 0; row < 25; row += 1) progress({ id: `row.${row}`, verdict: row === 4 ? 'warning' : 'pass' })
  progress.end()
  expect(out.written).toEqual([
    '3 of 25 decided\n',
    ...[6, 9, 12, 15, 18, 21, 24, 25].map((count) => `${count} of 25 decided, 1 warning\n`),
  ])
})
