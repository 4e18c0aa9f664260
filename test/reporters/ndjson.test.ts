import { expect, test } from 'vitest'
import { renderNdjson } from '../../reporters/ndjson.ts'
import { exampleReport, rows } from './example-report.ts'

test('one line for the head, each requirement and the verdict', () => {
  const lines = renderNdjson(exampleReport).trimEnd().split('\n')
  const [head, ...rest] = lines.map((line) => JSON.parse(line))
  expect(head).toMatchObject({ type: 'head', version: 2, suite: { seed: '42' }, target: { name: 'example' } })
  expect(rest.slice(0, -1).map((line) => [line.type, line.id])).toEqual(rows.map((row) => ['requirement', row.id]))
  expect(rest.at(-1)).toMatchObject({
    type: 'verdict',
    result: 'non-conformant',
    exitCode: 1,
    counts: { fail: 2, pass: 1 },
    problems: ['the target did not answer for 30 s'],
  })
})
