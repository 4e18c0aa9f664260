import { expect, test } from 'vitest'
import { deploymentModel } from '../../suites/model/deployment.ts'
import { createTraceLog } from '../../suites/model/exchange.ts'
import { histories, historyStates } from '../../suites/model/histories.ts'

type Sent = readonly [call: string, request: unknown, response: unknown, sentAt: number, endedAt: number]

const url = 'http://server'
const run = (id: string, status: string) => ({ run_id: id, status })
const messages = (...texts: string[]) => ({ values: { messages: texts.map((content) => ({ content })) } })
const create = (assistant: string, text: string, multitask_strategy: string) => ({
  assistant_id: assistant,
  input: { messages: [{ role: 'human', content: text }] },
  multitask_strategy,
})

/** Returns the model of requests to a server with an assistant of `slow` that sleeps for 100 ms. */
function modelOf(sent: readonly Sent[]) {
  const log = createTraceLog()
  const graphs = { echo: 'echo', slow: 'slow' }
  log.add({ type: 'endpoint', name: 'open', url, profile: 'open', headers: {}, graphs })
  log.add({ type: 'scenario', id: 1, endpoint: 'open', title: 'test', round: 1, exercises: [], at: 0 })
  const sleeper = { graph_id: 'slow', config: { configurable: { delay_ms: 100 } } }
  const all: readonly Sent[] = [
    ['POST /assistants', sleeper, { assistant_id: 'sleeper', graph_id: 'slow' }, 0, 1],
    ['POST /threads', {}, { thread_id: 't' }, 2, 3],
    ...sent,
  ]
  for (const [index, [call, body, response, sentAt, endedAt]] of all.entries()) {
    const [method = '', path = ''] = call.split(' ')
    const request = { method, url: `${url}${path}`, headers: {}, body: JSON.stringify(body) }
    const id = index + 1
    log.add({ type: 'request', id, scenario: 1, user: 'nobody', intent: 'documented', ...request, at: sentAt })
    log.add({ type: 'head', id, status: 200, headers: { 'content-type': 'application/json' }, at: endedAt })
    log.add({ type: 'end', id, fate: 'answered', body: JSON.stringify(response), at: endedAt })
  }
  const recorded = log.rounds.get(1)?.get('open')
  if (recorded === undefined) throw new Error('expected the endpoint in the log')
  return deploymentModel(recorded)
}

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
