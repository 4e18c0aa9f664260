import { expect, test } from 'vitest'
import { isEvent, streamBlocks, valuesOf } from '../../suites/values/stream-blocks.ts'

test('splits a stream at empty lines, for any line endings', () => {
  for (const ending of ['\n', '\r\n', '\r']) {
    const blocks = streamBlocks(['event: a', 'data: 1', '', ': beat', '', 'data:2', ''].join(ending) + ending)
    expect(blocks.map(({ closed }) => closed)).toEqual([true, true, true])
    expect(blocks.map(isEvent)).toEqual([true, false, true])
    expect(blocks[1]?.comments).toEqual(['beat'])
    expect(blocks.map((block) => valuesOf(block, 'data'))).toEqual([['1'], [], ['2']])
  }
})

test('an incomplete last block is not closed', () => {
  expect(streamBlocks('event: a\ndata: 1\n')).toMatchObject([{ closed: false }])
  expect(streamBlocks('event: a\ndata: 1')).toMatchObject([{ closed: false }])
  expect(streamBlocks('event: a\ndata: 1\n\n')).toMatchObject([{ closed: true }])
})

test('ids and retry times without data are not events', () => {
  expect(streamBlocks('id: 1\nretry: 10\n\n').map(isEvent)).toEqual([false])
})

test('a value keeps its colons and all spaces except the first', () => {
  const [block] = streamBlocks('data:  {"a": "b:c"}\n\n')
  expect(block && valuesOf(block, 'data')).toEqual([' {"a": "b:c"}'])
})

test('an empty stream has no blocks', () => {
  expect(streamBlocks('')).toEqual([])
  expect(streamBlocks('\n\n')).toEqual([])
})
