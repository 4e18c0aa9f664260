import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldJson, formatJson } from '../../reporters/format-json.ts'

test('keeps short objects on one line and splits long ones', () => {
  const long = JSON.stringify({ metadata: {}, tags: [1, 2], text: 'x'.repeat(60), kwargs: { config: { a: 'b' } } })
  expect(formatJson('{"a":1,"b":[true,null]}')).toBe('{"a": 1, "b": [true, null]}')
  expect(formatJson(long)).toBe(
    `{\n  "metadata": {},\n  "tags": [1, 2],\n  "text": "${'x'.repeat(60)}",\n  "kwargs": {"config": {"a": "b"}}\n}`,
  )
})

test('keeps the spelling of names and values', () => {
  expect(formatJson('{"a":12345678901234567890,"a":1.0,"b":"\\u0041"}')).toBe(
    '{"a": 12345678901234567890, "a": 1.0, "b": "\\u0041"}',
  )
})

test('returns other texts and deeply nested JSON unchanged', () => {
  expect(formatJson('event: updates\ndata: {}')).toBe('event: updates\ndata: {}')
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  expect(formatJson(deep)).toBe(deep)
})

test('formats truncated JSON', () => {
  const item = `{"id":"${'x'.repeat(40)}","name":"${'y'.repeat(40)}"}`
  expect(formatJson(`[${item},{"id":"unfinish… (9000 characters)`)).toBe(
    `[\n  {\n    "id": "${'x'.repeat(40)}",\n    "name": "${'y'.repeat(40)}"\n  },\n  {\n    "id": "unfinish… (9000 characters)`,
  )
  expect(formatJson('[info]  a log… (9000 characters)')).toBe('[info]  a log… (9000 characters)')
})

test('folds the parts of long JSON that a reader does not look for', () => {
  const message = (text: string) => ({ text: text.repeat(80), list: Array.from({ length: 20 }, () => 'y'.repeat(20)) })
  const text = JSON.stringify({ values: { messages: ['a', 'b', 'c'].map(message) }, tags: ['y'.repeat(80)] })

  expect(foldJson(text, { tokens: ['"tags"', `"${'y'.repeat(80)}"`] })).toBe(
    `{\n  "values": {…},\n  "tags": [\n    "${'y'.repeat(80)}"\n  ]\n}`,
  )
  const at = foldJson(text, { path: 'values.messages[1]', tokens: ['"tags"'] })
  expect(at).toMatch(/^{\n {2}"values": {\n {4}"messages": \[\n {6}{…},\n {6}{\n {8}"text": "b{80}",\n/)
  expect(at).toMatch(/ {6}},\n {6}{…}\n {4}\]\n {2}},\n {2}"tags": \[…\]\n}$/)
  expect(foldJson(text, { tokens: ['"missing"'] })).toBe(formatJson(text))
  expect(foldJson('{"a":[1]}', { path: 'b', tokens: [] })).toBe('{"a": [1]}')
})

test('does not change any value', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      expect(JSON.parse(formatJson(text))).toEqual(JSON.parse(text))
    }),
  )
})
