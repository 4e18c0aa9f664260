import { describe, expect, test } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import type { DialectName } from '../../../mock-server/deployment/dialect.ts'
import { createMockServer } from '../../../mock-server/index.ts'
import { whyNotInstalled } from '../../../targets/third-party/install.ts'
import { serve } from '../../../targets/third-party/serve.ts'
import { type ThirdPartyServer, thirdPartyServers } from '../../../targets/third-party/servers.ts'
import { type OpenApiValidator, openApiValidator } from '../../fixtures/openapi-validator.ts'
import { pythonCalls, runPython, skipsPython } from '../../fixtures/python-clients.ts'
import { nameOf } from '../../mock-server/sdk/table.ts'
import { clean } from './clean.ts'
import { compare, type Outcome, type ResponseRecorder, recordResponses } from './outcome.ts'
import { type ComparedCall, comparedRemoteGraphCalls, comparedSdkCalls } from './sdk-calls.ts'
import { dialectOf, differencesOf, explanationOf } from './sdk-differences.ts'

/** The outcomes of the calls of the Python clients, by test. */
type PythonOutcomes = Map<string, Outcome & { readonly call: string }>

/** Makes a call. Its own expectations count as part of the call: one that fails ends it early. */
async function outcomeOf(call: ComparedCall, validator: OpenApiValidator, url: string): Promise<Outcome> {
  const recorder = recordResponses(validator, url)
  const error = await call.try(recorder.send).then(
    () => undefined,
    (error: Error) => error.message,
  )
  return { responses: await recorder.end(), error }
}

type OutcomePair = readonly [real: Outcome, imitated: Outcome]

/** What a server and the mock server in its dialect respond to the calls of the clients. */
interface Comparison {
  readonly outcomes: ReadonlyMap<string, OutcomePair>
  /** Of the mock server, then of the real one; empty if the Python clients are skipped. */
  readonly python: readonly PythonOutcomes[]
}

const calls = [...comparedSdkCalls, ...comparedRemoteGraphCalls]

async function compareServer(server: ThirdPartyServer): Promise<Comparison> {
  const dialect = dialectOf[server.name]
  const mock = createMockServer({ dialect })
  const validator = await openApiValidator(mock)
  const running = await serve(server, 'langgraph.json')
  const outcomes = await compareCalls(running.url, dialect, validator)
  const imitation = await listen(mock, { port: 0 })
  const forPython = skipsPython ? [] : [imitation, running]
  const python = await Promise.all(forPython.map(({ url }) => pythonOutcomes(url, dialect, validator)))
  await Promise.all([running.close(), imitation.close()])
  return { outcomes, python }
}

/** Makes the calls of the JavaScript clients one after another. */
async function compareCalls(url: string, dialect: DialectName, validator: OpenApiValidator) {
  const outcomes = new Map<string, OutcomePair>()
  for (const call of calls) {
    const fresh = await listen(createMockServer({ dialect }), { port: 0 })
    const imitated = await outcomeOf(call, validator, fresh.url)
    await fresh.close()
    outcomes.set(call.name, [await outcomeOf(call, validator, url), imitated])
    await clean(url)
  }
  return outcomes
}

/** Makes all calls of the Python clients. Their requests name the call. */
async function pythonOutcomes(url: string, dialect: DialectName, validator: OpenApiValidator): Promise<PythonOutcomes> {
  const recorders = new Map<string, ResponseRecorder>()
  const handle = (request: Request): Promise<Response> => {
    const name = request.headers.get('test-name') ?? ''
    const recorder = recorders.get(name) ?? recordResponses(validator, url)
    recorders.set(name, recorder)
    return recorder.send(request)
  }
  const listening = await listen({ handle }, { port: 0 })
  const results = await runPython(listening.url, dialect, pythonCalls)
  await listening.close()
  const outcomes = results.map(async ({ name, file, method, result }) => {
    const how = /__(\w+)/.exec(name)?.[1]?.replaceAll('_', ' ')
    const call = `python ${file === 'test_remote_graph.py' ? 'RemoteGraph.' : ''}${nameOf({ method, how })}`
    const responses = (await recorders.get(name)?.end()) ?? new Map()
    return [name, { call, responses, error: result === 'works' ? undefined : result }] as const
  })
  return new Map(await Promise.all(outcomes))
}

const missing = new Map<ThirdPartyServer, string | undefined>()
for (const server of thirdPartyServers) missing.set(server, await whyNotInstalled(server))

/** Compares all servers at the same time: calls mostly wait. */
async function compareServers(): Promise<ReadonlyMap<ThirdPartyServer, Comparison>> {
  const installed = thirdPartyServers.filter((server) => missing.get(server) === undefined)
  return new Map(await Promise.all(installed.map(async (server) => [server, await compareServer(server)] as const)))
}

let comparisons: ReturnType<typeof compareServers> | undefined

/** The comparison with a server. The first test waits for all: expectations of calls fail the test that runs meanwhile. */
async function comparisonWith(server: ThirdPartyServer): Promise<Comparison | undefined> {
  comparisons ??= compareServers()
  return (await comparisons).get(server)
}

for (const server of thirdPartyServers) {
  const reason = missing.get(server)
  const skipped = reason !== undefined && process.env['CI'] !== 'true'
  const title = `${server.package} and the dialect ${dialectOf[server.name]}${skipped ? ` (${reason})` : ''}`

  describe.skipIf(skipped)(title, () => {
    const used = new Set<string | undefined>()

    function unexplained(call: string, real: Outcome, imitated: Outcome): string[] {
      return compare(call, real, imitated).filter((point) => {
        const explanation = explanationOf(server.name, call, point)
        used.add(explanation)
        return explanation === undefined
      })
    }

    test.each(calls.map(({ name }) => name))('%s', async (name) => {
      const outcomes = (await comparisonWith(server))?.outcomes.get(name)
      if (outcomes === undefined) throw new Error(reason)
      expect(unexplained(name, ...outcomes)).toEqual([])
    })

    test.skipIf(skipsPython)('the calls of the Python clients', async () => {
      const [imitated, real] = (await comparisonWith(server))?.python ?? []
      expect(new Set(real?.keys())).toEqual(new Set(imitated?.keys()))
      const points = [...(imitated ?? [])].flatMap(([name, outcome]) =>
        unexplained(outcome.call, real?.get(name) ?? outcome, outcome).map((point) => `${name}: ${point}`),
      )
      expect(points).toEqual([])
    })

    test('every difference in the list was found', () => {
      const listed = differencesOf(server.name).filter(({ isIntermittent }) => isIntermittent === undefined)
      expect(listed.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([])
    })
  })
}
