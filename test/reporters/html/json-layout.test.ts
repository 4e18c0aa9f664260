import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layOut } from '../../../reporters/html/json-layout.ts'

test('short objects stay on a line, long ones get a line for each name', () => {
  const long = JSON.stringify({ metadata: {}, tags: [1, 2], text: 'x'.repeat(60), kwargs: { config: { a: 'b' } } })
  expect(layOut('{"a":1,"b":[true,null]}')).toBe('{"a": 1, "b": [true, null]}')
  expect(layOut(long)).toBe(
    `{\n  "metadata": {},\n  "tags": [1, 2],\n  "text": "${'x'.repeat(60)}",\n  "kwargs": {"config": {"a": "b"}}\n}`,
  )
})

test('names and values keep their spelling', () => {
  expect(layOut('{"a":12345678901234567890,"a":1.0,"b":"\\u0041"}')).toBe(
    '{"a": 12345678901234567890, "a": 1.0, "b": "\\u0041"}',
  )
})

test('what is no JSON stays as it is, and so does what is too deep to read', () => {
  expect(layOut('event: updates\ndata: {}')).toBe('event: updates\ndata: {}')
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  expect(layOut(deep)).toBe(deep)
})

test('the beginning of a long JSON is laid out as far as it goes', () => {
  const item = `{"id":"${'x'.repeat(40)}","name":"${'y'.repeat(40)}"}`
  expect(layOut(`[${item},{"id":"unfinish… (9000 characters)`)).toBe(
    `[\n  {\n    "id": "${'x'.repeat(40)}",\n    "name": "${'y'.repeat(40)}"\n  },\n  {\n    "id": "unfinish… (9000 characters)`,
  )
  expect(layOut('[info]  a log… (9000 characters)')).toBe('[info]  a log… (9000 characters)')
})

test('no value is lost or changed, whatever the JSON', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      expect(JSON.parse(layOut(text))).toEqual(JSON.parse(text))
    }),
  )
})
