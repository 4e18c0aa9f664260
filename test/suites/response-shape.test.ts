import { expect, test } from 'vitest'
import { furtherKeys, responseShape } from '../../suites/harness/response-shape.ts'

const response = (status: number, type: string, text: string, json?: unknown) => ({
  status,
  headers: { 'content-type': type },
  text,
  json,
})
const json = (status: number, value: unknown) =>
  response(status, 'application/json; charset=utf-8', JSON.stringify(value), value)

test('describes an error by status, type and shape, without its message', () => {
  expect(responseShape(json(404, { detail: 'Thread 7e3 not found' }))).toBe('404 application/json {detail: string}')
  expect(responseShape(response(404, 'text/plain', 'Thread 7e3 not found'))).toBe('404 text/plain text')
})

test('the order of keys does not matter', () => {
  expect(responseShape(json(400, { b: 1, a: [] }))).toBe(responseShape(json(400, { a: [], b: 1 })))
})

test('describes objects of the specification by their names', () => {
  const run = { run_id: '1', thread_id: '2', kwargs: {}, status: 'pending' }
  expect(responseShape(json(200, run))).toBe('200 application/json run')
  expect(responseShape(json(200, [{ thread_id: '2', status: 'idle' }]))).toBe('200 application/json [thread]')
})

test('describes an empty body without a type, and a stream by the names of its events', () => {
  expect(responseShape(response(307, 'text/plain', ''))).toBe('307 empty')
  const stream = response(200, 'text/event-stream', 'event: metadata\ndata: {}\n\nevent: error\ndata: {}\n\n')
  expect(responseShape(stream)).toBe('200 text/event-stream events: metadata, error')
})

test('lists additional keys by name, without private ones', () => {
  expect(furtherKeys({ b: 1, known: 2, a: 3, __own: 4 }, [], ['known'])).toBe('a, b')
  expect(furtherKeys({ known: 2 }, [], ['known'])).toBe('none')
})
