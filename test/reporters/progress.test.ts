import { expect, test } from 'vitest'
import { createProgress } from '../../reporters/progress.ts'
import { outcome, reportOf, requirement } from './example-report.ts'

function stream(terminal: { isTTY?: boolean; columns?: number } = {}) {
  const written: string[] = []
  return { ...terminal, written, write: (text: string) => written.push(text) }
}

test('rewrites one line with the slowest check on a terminal, and clears it at the end', () => {
  const output = stream({ isTTY: true, columns: 80 })
  let ms = 0
  const progress = createProgress(2, output, () => ms)
  progress.started('joins runs')
  ms = 34_000
  progress.started('creates threads')
  progress.ended('creates threads')
  progress.ended('joins runs')
  progress.close()
  expect(output.written).toEqual([
    '\r\u001b[2K░░░░░░░░░░░░░░░░░░░░ 0 of 2 checks: joins runs',
    '\r\u001b[2K░░░░░░░░░░░░░░░░░░░░ 0 of 2 checks: joins runs, 34 s',
    '\r\u001b[2K██████████░░░░░░░░░░ 1 of 2 checks: joins runs, 34 s',
    '\r\u001b[2K████████████████████ 2 of 2 checks',
    '\r\u001b[2K',
  ])
})

test('truncates the line to the width of the terminal', () => {
  const output = stream({ isTTY: true, columns: 50 })
  const progress = createProgress(2, output)
  progress.started('creates threads')
  progress.close()
  expect(output.written[0]).toBe('\r\u001b[2K░░░░░░░░░░░░░░░░░░░░ 0 of 2 checks: creates thre…')
})

test('writes one line per tenth to a log', () => {
  const output = stream()
  const progress = createProgress(25, output)
  for (let index = 0; index < 25; index += 1) {
    progress.started(`check ${index}`)
    progress.ended(`check ${index}`)
  }
  progress.close()
  expect(output.written).toEqual([...[3, 6, 9, 12, 15, 18, 21, 24, 25].map((count) => `${count} of 25 checks\n`)])
})

test('shows a failure on a terminal once two reports in a row have it', () => {
  const output = stream({ isTTY: true, columns: 80 })
  const progress = createProgress(2, output)
  const failure = { message: 'status', expected: '"idle"', received: '"busy"' }
  const report = reportOf([requirement('thread.status', 'fail', { outcomes: [outcome('fail', { failure })] })])
  progress.tested(report)
  expect(output.written).toEqual([])
  progress.tested(report)
  progress.tested(report)
  progress.close()
  expect(output.written).toEqual([
    '\r\u001b[2K✗ thread.status  status: expected "idle", received "busy"\n',
    '\r\u001b[2K░░░░░░░░░░░░░░░░░░░░ 0 of 2 checks',
    '\r\u001b[2K',
  ])
})
