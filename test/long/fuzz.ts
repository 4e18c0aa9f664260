import fc from 'fast-check'
import { clientOf } from '../fixtures/mock-client.ts'
import { type OpenApiValidator, openApiValidator } from '../fixtures/openapi-validator.ts'
import { remoteServer } from '../fixtures/over-http.ts'
import { type BadRequest, badRequests } from './bad-requests.ts'
import type { LongTest } from './long-test.ts'
import { type RawRequest, rawRequests, sendRaw } from './raw-requests.ts'
import { megabytes, startWatched } from './usage.ts'

const INPUTS = 20_000
/** Inputs after which the things that they are about are made anew, as some have been deleted. */
const ROUND = 300
/** Longest wait for an answer; a request may ask for one that takes long. */
const BUDGET_MS = 3_000
// What the heap may gain, everything forgotten: code and shapes that came into use late.
const LEEWAY_BYTES = 8 * 2 ** 20

/** The status of the first answer to an input, or why there is none. */
type Outcome = number | 'broken off by the client' | 'closed without an answer' | 'no answer in time'

/** What came of bad inputs. */
interface Fuzzed {
  /** How many inputs had each outcome. */
  readonly outcomes: ReadonlyMap<Outcome, number>
  readonly inputs: number
  /** Errors that the server did not turn into an answer. */
  readonly errors: number
  /** What the heap has gained in the end, with everything forgotten, in bytes. */
  readonly gained: number
}

/** Bad inputs over the whole HTTP surface: no 5xx, no answer outside its description, no crash, no growth. */
export const fuzz: LongTest = async (print) => {
  const { outcomes, inputs, errors, gained } = await fuzzed(INPUTS, Date.now(), print)
  const table = [...outcomes].map(([outcome, count]) => `${outcome}: ${count}`).toSorted()
  print(`${inputs} inputs, ${errors} errors; ${table.join(', ')}; the heap gained ${megabytes(gained)}`)
  return errors === 0 && gained <= LEEWAY_BYTES
}

/** Sends so many bad inputs to a server of its own, a third of them as raw bytes. Throws at the first wrong answer. */
export async function fuzzed(
  inputs: number,
  seed: number,
  print: (line: string) => void = () => undefined,
): Promise<Fuzzed> {
  print(`seed ${seed}`)
  const server = await startWatched()
  const outcomes = new Map<Outcome, number>()
  const count = (outcome: Outcome): void => {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  try {
    const expected = await openApiValidator(remoteServer(server.url))
    const run = async (from: number, to: number): Promise<void> => {
      for (let done = from; done < to; done += ROUND) {
        const requests = badRequests(expected, await things(server.url))
        await fc.assert(
          fc.asyncProperty(requests, requests, rawRequests, async (one, another, raw) => {
            await Promise.all([
              ...[one, another].map(async (request) => count(await answered(server.url, request, expected))),
              rawAnswered(server.url, raw).then(count),
            ])
          }),
          { numRuns: Math.ceil(Math.min(ROUND, to - done) / 3), seed: seed + done },
        )
      }
    }
    // The first inputs bring the code into use.
    const warm = Math.ceil(inputs / 5)
    await run(0, warm)
    const before = await server.forget()
    await run(warm, inputs)
    const after = await server.forget()
    const total = [...outcomes.values()].reduce((sum, one) => sum + one, 0)
    return { outcomes, inputs: total, errors: after.errors, gained: after.heapUsed - before.heapUsed }
  } finally {
    await server.close()
  }
}

/** What came of a raw request. Throws for a 5xx. */
async function rawAnswered(url: string, request: RawRequest): Promise<Outcome> {
  const { statuses, isLate } = await sendRaw(url, request, BUDGET_MS)
  const failure = statuses.find((status) => status >= 500)
  if (failure !== undefined) throw new Error(`${failure} for ${JSON.stringify(request)}`)
  if (statuses[0] !== undefined) return statuses[0]
  if (request.breaksOff) return 'broken off by the client'
  return isLate ? 'no answer in time' : 'closed without an answer'
}

/** What came of a request. Throws for a 5xx and for an answer that is not as described. */
async function answered(url: string, request: BadRequest, expected: OpenApiValidator): Promise<Outcome> {
  const { method, path, query, headers, body } = request
  const target = new URL(`${url}${path}${query === '' ? '' : `?${query}`}`)
  const leaving = new AbortController()
  const budget = setTimeout(() => leaving.abort(), BUDGET_MS)
  try {
    const answer = await fetch(target, { method, headers, signal: leaving.signal, ...(body !== undefined && { body }) })
    if (answer.status >= 500) throw new Error(`${answer.status} ${await answer.text()}`)
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
    const problem = await expected.problem(method, target.pathname, answer)
    if (problem !== undefined) throw new Error(problem)
    if (isStream || !answer.bodyUsed) await answer.body?.cancel()
    return answer.status
  } catch (error) {
    if (leaving.signal.aborted) return 'no answer in time'
    throw error
  } finally {
    clearTimeout(budget)
  }
}

/** Ids of things that are there. */
async function things(url: string): Promise<string[]> {
  const client = clientOf(remoteServer(url))
  const thread = await client.thread()
  const { run_id } = await client.ended(await client.run(thread, { assistant_id: 'echo', input: {} }))
  const { checkpoint_id } = await client.state(thread)
  const { assistant_id } = await client.post<{ assistant_id: string }>('/assistants', { graph_id: 'echo' })
  return [thread.thread_id, run_id, checkpoint_id, assistant_id, (await client.thread()).thread_id]
}
