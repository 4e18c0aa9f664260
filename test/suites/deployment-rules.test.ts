import { expect, test } from 'vitest'
import { evaluate } from '../../suites/evaluate/evaluate.ts'
import { deploymentRules } from '../../suites/rules/deployment/index.ts'
import { create, messages, modelOf, run, type Sent } from '../fixtures/deployment-trace.ts'

/** Returns the verdict of a requirement about some requests; undefined if they do not decide it. */
async function verdictOf(requirement: string, sent: readonly Sent[]): Promise<string | undefined> {
  const findings = await evaluate(modelOf(sent), deploymentRules)
  return findings.find((finding) => finding.requirement === requirement)?.verdict
}

const timeout = new Error('UND_ERR_HEADERS_TIMEOUT: Headers Timeout Error')
const created: Sent = ['POST /threads/t/runs', create('echo', 'a text'), run('a', 'pending'), 5, 8]
const join = (response: unknown, sentAt: number, endedAt: number): Sent => [
  'GET /threads/t/runs/a/join',
  undefined,
  response,
  sentAt,
  endedAt,
]
const ended = (id: string, status: string, at: number): Sent => [
  `GET /threads/t/runs/${id}`,
  undefined,
  run(id, status),
  at,
  at + 1,
]

test('a join that is repeated after a timeout is not one of several at the same time', async () => {
  const sent = [created, join(timeout, 10, 1010), join({}, 1110, 1500), ended('a', 'success', 1510)]
  expect(await verdictOf('run.join.many', sent)).toBeUndefined()
})

test('a join that is left open while another one returns is not answered', async () => {
  const sent = [created, join(timeout, 10, 1010), join({}, 12, 100), ended('a', 'success', 1510)]
  expect(await verdictOf('run.join.many', sent)).toBe('fail')
})

test('runs one after another do not show which strategy governs concurrent runs', async () => {
  const next: Sent = ['POST /threads/t/runs', create('echo', 'b text'), run('b', 'pending'), 30, 31]
  const sent = [created, ended('a', 'success', 20), next, ended('b', 'error', 50)]
  expect(await verdictOf('multitask.governed-by-strategy', sent)).toBeUndefined()
})

test('a request without a strategy may have interrupted a run', async () => {
  const slow: Sent = ['POST /threads/t/runs', create('sleeper', 'a text'), run('a', 'pending'), 5, 8]
  const next: Sent = ['POST /threads/t/runs', create('echo', 'b text'), run('b', 'pending'), 20, 21]
  const sent = [slow, next, join({}, 22, 40), ended('a', 'error', 150)]
  expect(await verdictOf('run.join.waits-from-creation', sent)).toBeUndefined()
  expect(await verdictOf('run.join.waits-from-creation', [slow, ...sent.slice(2)])).toBe('fail')
})

test('a run may sleep only as long as the first run of its thread', async () => {
  const config = { configurable: { delay_ms: 300 } }
  const longer: Sent = ['POST /assistants', { graph_id: 'slow', config }, { assistant_id: 'longer' }, 3, 4]
  const begun = messages('before: a text', 'before: b text')
  const sent = (first: string): readonly Sent[] => [
    longer,
    ['POST /threads/t/runs', create(first, 'a text', 'interrupt'), run('a', 'pending'), 5, 8],
    ['POST /threads/t/runs', create('longer', 'b text', 'interrupt'), run('b', 'pending'), 20, 21],
    ['GET /threads/t/state', undefined, begun, 120, 121],
    ['POST /threads/t/runs', create('echo', 'c text', 'interrupt'), run('c', 'pending'), 130, 135],
    ended('c', 'success', 400),
    ended('b', 'success', 410),
    ended('a', 'interrupted', 420),
  ]
  const requirement = 'multitask.interrupt.repeated.each-interrupted'
  expect(await verdictOf(requirement, sent('sleeper'))).toBeUndefined()
  expect(await verdictOf(requirement, sent('longer'))).toBe('fail')
})

test('a server that executes one run at a time may execute later ones first', async () => {
  const onOwnThread = (id: string, assistant: string): readonly Sent[] => [
    ['POST /threads', {}, { thread_id: id }, 3, 4],
    [`POST /threads/${id}/runs`, create(assistant, `${id} text`), run(id, 'pending'), 10, 11],
  ]
  const endedOn = (id: string, at: number): Sent => [
    `GET /threads/${id}/runs/${id}`,
    undefined,
    run(id, 'success'),
    at,
    at + 1,
  ]
  const asleep = (id: string): Sent => [`GET /threads/${id}/state`, undefined, messages(`before: ${id} text`), 20, 21]
  const sent = [created, ...onOwnThread('later', 'echo'), endedOn('later', 1500), ended('a', 'pending', 2000)]
  expect(await verdictOf('run.status.ends', sent)).not.toBe('fail')
  expect(await verdictOf('run.status.ends', [...sent, ended('a', 'pending', 3000)])).toBe('fail')
  const sideBySide = ['b', 'c'].flatMap((id) => [...onOwnThread(id, 'sleeper'), asleep(id), endedOn(id, 200)])
  expect(await verdictOf('run.status.ends', [...sent, ...sideBySide])).toBe('fail')
})

const assistant = (id: string) => ({ assistant_id: id, graph_id: 'echo' })
const createAssistant = (id: string, at: number): Sent => [
  'POST /assistants',
  { graph_id: 'echo' },
  assistant(id),
  at,
  at + 1,
]
const search = (offset: number, ids: readonly string[], at: number, endedAt = at + 1, limit = 2): Sent => [
  'POST /assistants/search',
  { limit, offset },
  ids.map(assistant),
  at,
  endedAt,
]

test('assistants that a cached first page does not show may fill the next page', async () => {
  const firstPage = ['b', 'a']
  const [before, after] = [search(0, firstPage, 10), search(0, firstPage, 40)]
  const created = ['c', 'd', 'e'].map((id, index) => createAssistant(id, 20 + index))
  const sent = [before, ...created, search(1, ['d', 'c'], 30), after]
  expect(await verdictOf('assistant.search.offset', sent)).toBe('pass')
  expect(await verdictOf('assistant.search.offset', [before, search(1, ['d', 'c'], 30), after])).toBe('fail')
})

test('a first page is as old as the end of an equal request, which may take long', async () => {
  const cached = search(0, ['a', 'sleeper'], 10, 1000)
  const shown = search(0, ['b', 'a', 'sleeper'], 1010, 1011, 3)
  const paged = (at: number) => [search(0, ['a', 'sleeper'], at), search(2, ['sleeper'], at + 2), search(3, [], at + 4)]
  const sent = [createAssistant('a', 5), cached, createAssistant('b', 1003), shown]
  expect(await verdictOf('assistant.search.offset', [...sent, ...paged(1600)])).toBeUndefined()
  expect(await verdictOf('assistant.search.offset', [...sent, ...paged(2600)])).toBe('fail')
})

test('a page of a large limit may be smaller than one of a small limit', async () => {
  const clamped = (offset: number, ids: readonly string[], at: number) => search(offset, ids, at, at + 1, 100)
  const sent = [
    createAssistant('a', 5),
    createAssistant('b', 7),
    search(0, ['b', 'a', 'sleeper'], 20, 21, 25),
    clamped(0, ['b', 'a'], 3000),
    clamped(1, ['a', 'sleeper'], 3010),
    clamped(0, ['b', 'a'], 3020),
  ]
  expect(await verdictOf('assistant.search.offset', sent)).toBe('pass')
  expect(await verdictOf('assistant.search.offset', [...sent, clamped(2, [], 3030)])).toBe('fail')
})

test('a list of runs that links to its next page may be cut', async () => {
  const next: Sent = ['POST /threads/t/runs', create('echo', 'b text', 'enqueue'), run('b', 'pending'), 30, 31]
  const list = (headers: Readonly<Record<string, string>>): Sent => [
    'GET /threads/t/runs',
    undefined,
    [run('b', 'success')],
    3000,
    3001,
    headers,
  ]
  const sent = [created, ended('a', 'success', 20), next, ended('b', 'success', 40)]
  expect(await verdictOf('run.list.every-run', [...sent, list({})])).toBe('fail')
  expect(await verdictOf('run.list.every-run', [...sent, list({ link: '</p?cursor=2>; rel="next"' })])).toBeUndefined()
})
