import { expect, test } from 'vitest'
import { histories, historyStates } from '../../suites/model/histories.ts'
import { create, messages, modelOf, run, type Sent } from '../fixtures/deployment-trace.ts'

/** A run sleeps from 10 ms on; another one with `interrupt` is requested at 40 ms. */
const interruption = (endedAt: number): readonly Sent[] => [
  ['POST /threads/t/runs', create('sleeper', 'left', 'interrupt'), run('left', 'pending'), 10, 12],
  ['GET /threads/t/state', undefined, messages('left', 'before: left'), 20, 25],
  ['POST /threads/t/runs', create('echo', 'right', 'interrupt'), run('right', 'pending'), 40, endedAt],
]

const requiredEnds = (sent: readonly Sent[]) =>
  [...histories(modelOf(sent))].flatMap(({ turns }) => turns.map(({ requiredEnd }) => requiredEnd))

test('a run is interrupted if it was seen to sleep and cannot have ended when the interruption returned', () => {
  expect(requiredEnds(interruption(60))).toEqual(['interrupted', 'success'])
})

test('how a run must end is unknown if the interruption returned shortly before its end', () => {
  expect(requiredEnds(interruption(95))).toEqual(['unknown', 'success'])
})

test('how a run must end is unknown if it was not seen to execute', () => {
  const unseen = interruption(60).filter(([call]) => !call.startsWith('GET'))
  expect(requiredEnds(unseen)).toEqual(['unknown', 'success'])
})

/** The same, but the first step of the sleeping run is shown only after the interruption. */
const seenLate: readonly Sent[] = [
  ...interruption(60).filter(([call]) => !call.startsWith('GET')),
  ['GET /threads/t/state', undefined, messages('left', 'before: left'), 70, 75],
]

test('a run had begun before it was interrupted if its last step is missing after its end', () => {
  const end: Sent = ['GET /threads/t/runs/left', undefined, run('left', 'interrupted'), 150, 155]
  const final: Sent = ['GET /threads/t/state', undefined, messages('left', 'before: left', 'right'), 160, 165]
  expect(requiredEnds([...seenLate, end, final])).toEqual(['interrupted', 'success'])
})

test('how a run must end is unknown if it was seen to execute only later and no state was read after its end', () => {
  const end: Sent = ['GET /threads/t/runs/left', undefined, run('left', 'success'), 150, 155]
  expect(requiredEnds([...seenLate, end])).toEqual(['unknown', 'success'])
})

test('a run that was seen to have ended must succeed, whatever is requested later', () => {
  const [created, seen, ...later] = interruption(300)
  const end: Sent = ['GET /threads/t/runs/left', undefined, run('left', 'success'), 30, 35]
  expect(requiredEnds([created, seen, end, ...later] as Sent[])).toEqual(['success', 'success'])
})

test('what `reject` does on a busy thread is unknown', () => {
  const [created] = interruption(60)
  const rejected: Sent = ['POST /threads/t/runs', create('echo', 'x', 'reject'), run('x', 'pending'), 40, 60]
  expect(requiredEnds([created, rejected] as Sent[])).toEqual(['success', 'unknown'])
})

test('a state shows what runs left only once all that must succeed were seen to have ended', () => {
  const end: Sent = ['GET /threads/t/runs/right', undefined, run('right', 'success'), 70, 80]
  const reading = (sentAt: number): Sent => ['GET /threads/t/state', undefined, messages('left'), sentAt, sentAt + 5]
  const states = historyStates(modelOf([...interruption(60), reading(75), end, reading(80)]))
  expect([...states].map(({ exchange }) => exchange.sentAt)).toEqual([20, 80])
})
