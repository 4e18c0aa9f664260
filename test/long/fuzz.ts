import fc from 'fast-check'
import { clientOf, remoteServer } from '../fixtures/mock-client.ts'
import { type OpenApiValidator, openApiValidator } from '../fixtures/openapi-validator.ts'
import { type BadRequest, badRequests } from './bad-requests.ts'
import type { LongTest } from './long-test.ts'
import { type RawRequest, rawRequests, sendRaw } from './raw-requests.ts'
import { megabytes, startWatched } from './usage.ts'

const INPUTS = 20_000
/** Inputs after which the resources are created again, because some were deleted. */
const ROUND = 300
/** Longest wait for a response; a valid request can take long. */
const BUDGET_MS = 3_000
// Allowed growth of the heap after a reset: code and object shapes that were first used late.
const LEEWAY_BYTES = 8 * 2 ** 20

/** The status of the first response to an input, or the reason for none. */
type Outcome = number | 'aborted by the client' | 'closed without a response' | 'no response in time'

interface FuzzResult {
  /** How many inputs had each outcome. */
  readonly outcomes: ReadonlyMap<Outcome, number>
  readonly inputs: number
  /** Errors that the server did not convert to a response. */
  readonly errors: number
  /** Growth of the heap after a reset, in bytes. */
  readonly gained: number
}

/** Sends invalid requests to all endpoints: no 5xx, no undescribed response, no crash, no growth. */
export const fuzz: LongTest = async (print) => {
  const { outcomes, inputs, errors, gained } = await runFuzz(INPUTS, Date.now(), print)
  const table = [...outcomes].map(([outcome, count]) => `${outcome}: ${count}`).toSorted()
  print(`${inputs} inputs, ${errors} errors; ${table.join(', ')}; heap growth ${megabytes(gained)}`)
  return errors === 0 && gained <= LEEWAY_BYTES
}

/** Sends invalid inputs to a new server, a third of them as raw bytes. Throws at the first wrong response. */
export async function runFuzz(
  inputs: number,
  seed: number,
  print: (line: string) => void = () => undefined,
): Promise<FuzzResult> {
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
        const requests = badRequests(expected, await createResources(server.url))
        await fc.assert(
          fc.asyncProperty(requests, requests, rawRequests, async (first, second, raw) => {
            await Promise.all([
              ...[first, second].map(async (request) => count(await outcomeOf(server.url, request, expected))),
              rawOutcome(server.url, raw).then(count),
            ])
          }),
          { numRuns: Math.ceil(Math.min(ROUND, to - done) / 3), seed: seed + done },
        )
      }
    }
    // The first inputs warm up the code.
    const warm = Math.ceil(inputs / 5)
    await run(0, warm)
    const before = await server.reset()
    await run(warm, inputs)
    const after = await server.reset()
    const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0)
    return { outcomes, inputs: total, errors: after.errors, gained: after.heapUsed - before.heapUsed }
  } finally {
    await server.close()
  }
}

/** Sends a raw request. Throws for a 5xx. */
async function rawOutcome(url: string, request: RawRequest): Promise<Outcome> {
  const { statuses, isLate } = await sendRaw(url, request, BUDGET_MS)
  const failure = statuses.find((status) => status >= 500)
  if (failure !== undefined) throw new Error(`${failure} for ${JSON.stringify(request)}`)
  if (statuses[0] !== undefined) return statuses[0]
  if (request.breaksOff) return 'aborted by the client'
  return isLate ? 'no response in time' : 'closed without a response'
}

/** Sends a request. Throws for a 5xx and for a response that does not match the description. */
async function outcomeOf(url: string, request: BadRequest, expected: OpenApiValidator): Promise<Outcome> {
  const { method, path, query, headers, body } = request
  const target = new URL(`${url}${path}${query === '' ? '' : `?${query}`}`)
  const controller = new AbortController()
  const budget = setTimeout(() => controller.abort(), BUDGET_MS)
  try {
    const response = await fetch(target, {
      method,
      headers,
      signal: controller.signal,
      ...(body !== undefined && { body }),
    })
    if (response.status >= 500) throw new Error(`${response.status} ${await response.text()}`)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    const problem = await expected.problem(method, target.pathname, response)
    if (problem !== undefined) throw new Error(problem)
    if (isStream || !response.bodyUsed) await response.body?.cancel()
    return response.status
  } catch (error) {
    if (controller.signal.aborted) return 'no response in time'
    throw error
  } finally {
    clearTimeout(budget)
  }
}

/** Creates resources and returns their ids. */
async function createResources(url: string): Promise<string[]> {
  const client = clientOf(remoteServer(url))
  const thread = await client.thread()
  const { run_id } = await client.ended(await client.run(thread, { assistant_id: 'echo', input: {} }))
  const { checkpoint_id } = await client.state(thread)
  const { assistant_id } = await client.post<{ assistant_id: string }>('/assistants', { graph_id: 'echo' })
  return [thread.thread_id, run_id, checkpoint_id, assistant_id, (await client.thread()).thread_id]
}
