import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import { createMockServer } from '../../../mock-server/index.ts'
import { whyNotInstalled } from '../../../targets/third-party/install.ts'
import { type RunningServer, serve } from '../../../targets/third-party/serve.ts'
import { thirdPartyServers } from '../../../targets/third-party/servers.ts'
import { type OpenApiValidator, openApiValidator } from '../../fixtures/openapi-validator.ts'
import { pythonCalls, runPython, skipsPython } from '../../fixtures/python-clients.ts'
import { startMockServer } from '../../fixtures/start-mock-server.ts'
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

for (const server of thirdPartyServers) {
  const missing = await whyNotInstalled(server)
  const skipped = missing !== undefined && process.env['CI'] !== 'true'
  const dialect = dialectOf[server.name]

  describe.skipIf(skipped)(`${server.package} and the dialect ${dialect}${skipped ? ` (${missing})` : ''}`, () => {
    let expected: OpenApiValidator
    let running: RunningServer
    let forPython: readonly { readonly url: string; close(): Promise<unknown> }[] = []
    let python: Promise<PythonOutcomes[]>
    const used = new Set<string | undefined>()

    beforeAll(async () => {
      expect(missing).toBeUndefined()
      const mock = createMockServer({ dialect })
      expected = await openApiValidator(mock)
      running = await serve(server, 'langgraph.json')
      if (skipsPython) return
      forPython = [await listen(mock, { port: 0 }), await serve(server, 'langgraph.json')]
      // Clients mostly wait for the server: those in Python make their calls while the others make theirs.
      python = Promise.all(forPython.map(({ url }) => pythonOutcomes(url)))
      python.catch(() => 'the test that reads it fails')
    })
    afterAll(() => Promise.all([running, ...forPython].map((each) => each?.close())))

    function unexplained(call: string, real: Outcome, imitated: Outcome): string[] {
      return compare(call, real, imitated).filter((point) => {
        const explanation = explanationOf(server.name, call, point)
        used.add(explanation)
        return explanation === undefined
      })
    }

    const calls = [...comparedSdkCalls, ...comparedRemoteGraphCalls]
    test.each(calls.map((call) => [call.name, call] as const))('%s', async (name, call) => {
      const imitated = await outcomeOf(call, expected, await startMockServer({ dialect }))
      const real = await outcomeOf(call, expected, running.url)
      await clean(running.url)
      expect(unexplained(name, real, imitated)).toEqual([])
    })

    /** Makes all calls of the Python clients. Their requests name the call. */
    async function pythonOutcomes(url: string): Promise<PythonOutcomes> {
      const recorders = new Map<string, ResponseRecorder>()
      const handle = (request: Request): Promise<Response> => {
        const name = request.headers.get('test-name') ?? ''
        const recorder = recorders.get(name) ?? recordResponses(expected, url)
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

    test.skipIf(skipsPython)('the calls of the Python clients', async () => {
      const [imitated, real] = await python
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
