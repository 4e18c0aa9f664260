import { expect, test } from 'vitest'
import { renderJson } from '../../reporters/json.ts'
import { readReport } from '../../reporters/model/read.ts'
import { exampleReport, greenReport } from './example-report.ts'

test('a report is read, with a byte order mark too', () => {
  expect(readReport(`\ufeff${renderJson(greenReport)}`, 'report.json')).toMatchObject(greenReport)
})

test('what is no JSON', () => {
  expect(() => readReport('<html>', 'report.json')).toThrow(
    /^report\.json is not JSON: Unexpected token .*; expected the report\.json of a run\.$/,
  )
})

test('what is no report', () => {
  expect(() => readReport('[]', 'list.json')).toThrow(
    'list.json is no touchstone report: it is an array without "version"; expected the report.json of a run.',
  )
  expect(() => readReport('null', 'null.json')).toThrow('it is null without "version"')
  expect(() => readReport('{"name":"x","version":"1.0.0"}', 'package.json')).toThrow(
    'package.json is no touchstone report: it is an object with "version": "1.0.0"; expected the report.json of a run.',
  )
})

test('a report of another version', () => {
  expect(() => readReport('{"version":2}', 'new.json')).toThrow(
    'new.json is a report of version 2, expected 1: render it with the touchstone that wrote it.',
  )
})

test('a broken report: where, what was expected and what stands there', () => {
  const report = JSON.parse(renderJson(exampleReport))
  report.requirements[1].outcomes[0].verdict = 'green'
  report.repeat = 0
  expect(() => readReport(JSON.stringify(report), 'broken.json')).toThrow(
    /^broken\.json is no valid report: at repeat: Too small.*, got 0; at requirements\[1\]\.outcomes\[0\]\.verdict: Invalid option.*, got "green"\.$/,
  )
})

test('many faults are counted, not listed', () => {
  expect(() => readReport('{"version":1}', 'empty.json')).toThrow(/at suite: .*, got nothing; .* \(and \d+ more\)\.$/)
})
