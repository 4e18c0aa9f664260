import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { equivalenceOf } from '../../../targets/mutants/generated/equivalent.ts'
import { evaluateMutation } from '../../../targets/mutants/generated/kills.ts'
import { mutateLog } from '../../../targets/mutants/generated/replay.ts'
import { readMutations } from '../../../targets/mutants/generated/select.ts'
import { startNode } from '../../fixtures/touchstone.ts'

let trace: Awaited<ReturnType<typeof readMutations>>

beforeAll(async () => {
  const compressed = await readFile(new URL('../../fixtures/golden-traces/spec.ndjson.br', import.meta.url))
  trace = await readMutations([String(brotliDecompressSync(compressed))], { only: '', sample: undefined })
})

function mutationWithId(id: string) {
  const mutation = trace.mutations.find((each) => each.id === id)
  if (mutation === undefined) throw new Error(`expected a mutation ${id}`)
  return mutation
}

test('derives mutations with distinct ids from a trace', () => {
  const ids = trace.mutations.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(3000)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a mutation that breaks a field fails the requirement of the field', async () => {
  const mutation = mutationWithId('GET /threads/{thread_id}/runs/{run_id} · status · null')
  const { shown, exercised } = await evaluateMutation(trace.recordings, mutation)
  expect(exercised.map(({ name }) => name)).toEqual(['open'])
  expect(shown).toContain('run.fields.status.type')
})

test('a condition limits a mutation to some responses', () => {
  const [recording] = trace.recordings
  if (recording === undefined) throw new Error('expected an endpoint')
  const all = mutateLog(recording, mutationWithId('POST /threads · thread_id · other'))
  const some = mutateLog(recording, mutationWithId('POST /threads · thread_id · other · one in five'))
  expect(some.changed.size).toBeGreaterThan(0)
  expect([...some.changed].filter((id) => !all.changed.has(id))).toEqual([])
  expect(some.changed.size).toBeLessThan(all.changed.size / 4)
})

test('a mutation of events changes the streams of a trace', () => {
  const [recording] = trace.recordings
  if (recording === undefined) throw new Error('expected an endpoint')
  const mutation = mutationWithId('POST /threads/{thread_id}/runs/stream · metadata · absent')
  const { log, changed } = mutateLog(recording, mutation)
  const names = log.exchanges
    .filter(({ id }) => changed.has(id))
    .flatMap(({ events }) => events.map(({ event }) => event))
  expect(names).toContain('updates')
  expect(names).not.toContain('metadata')
})

test('classifies mutations that leave a conforming server', () => {
  expect(equivalenceOf('POST /threads · status 2xx 201')?.section).toBe('Endpoints')
  expect(equivalenceOf('POST /threads · status 2xx 500')).toBeUndefined()
})

test('names a wrong option', async () => {
  const run = fileURLToPath(new URL('../../../targets/mutants/generated/run.ts', import.meta.url))
  const { code, stderr } = await startNode([run, '--al']).ended
  expect(code).toBe(2)
  expect(stderr).toContain("Unknown option '--al'")
})
