import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMockServer } from '../../../mock-server/index.ts'
import { whyNotInstalled } from '../../../targets/third-party/install.ts'
import { type RunningServer, serve } from '../../../targets/third-party/serve.ts'
import { thirdPartyServers } from '../../../targets/third-party/servers.ts'
import { remoteServer } from '../../fixtures/mock-client.ts'
import { type OpenApiValidator, openApiValidator } from '../../fixtures/openapi-validator.ts'
import { addResponse, differences, type Shape } from '../../fixtures/shapes.ts'
import { startMockServer } from '../../fixtures/start-mock-server.ts'
import { openContext, type SdkCall } from '../../mock-server/sdk/context.ts'
import { nameOf } from '../../mock-server/sdk/table.ts'
import { clean } from './clean.ts'
import { comparedCalls, comparedClient, dialectOf, explanationOf, sdkDifferences } from './sdk-differences.ts'

/** The responses with one status of an endpoint. */
interface Responses {
  readonly shape: Shape
  count: number
}

/** How a server responded to a call: by endpoint and status, and the error that ended the call early. */
interface Outcome {
  readonly responses: ReadonlyMap<string, Responses>
  readonly error: string | undefined
}

/** Makes a call. Its own expectations count as part of the call: one that fails ends it early. */
async function outcomeOf(call: SdkCall, { endpointOf }: OpenApiValidator, url: string): Promise<Outcome> {
  const responses = new Map<string, Responses>()
  const ended = new AbortController()
  const reading: Promise<void>[] = []
  const context = openContext(comparedClient, async (request) => {
    const response = await remoteServer(url).fetch(request)
    const { pathname } = new URL(request.url)
    const endpoint = `${request.method} ${endpointOf(request.method, pathname)?.path} ${response.status}`
    const alike = responses.get(endpoint) ?? { shape: new Map(), count: 0 }
    responses.set(endpoint, alike)
    alike.count += 1
    reading.push(addResponse(alike.shape, response.clone(), ended.signal))
    return response
  })
  const error = await call.try(context).then(
    () => undefined,
    (error: Error) => error.message,
  )
  ended.abort()
  await Promise.all(reading)
  return { responses, error }
}

/** Returns the points on which two outcomes differ. If a call ends early, what follows is not compared. */
function compare(call: SdkCall, real: Outcome, imitated: Outcome): string[] {
  const endsAlike = real.error === imitated.error
  const points = endsAlike ? [] : [`${nameOf(call)}: ${real.error} / ${imitated.error}`]
  for (const endpoint of new Set([...real.responses.keys(), ...imitated.responses.keys()])) {
    const [one, other] = [real.responses.get(endpoint), imitated.responses.get(endpoint)]
    if (one === undefined || other === undefined) {
      if (endsAlike) points.push(`${endpoint}: only one server responds so`)
    } else if (endsAlike || one.count === other.count) {
      points.push(...differences(one.shape, other.shape).map((point) => `${endpoint} ${point}`))
    }
  }
  return points
}

for (const server of thirdPartyServers) {
  const missing = await whyNotInstalled(server)
  const skipped = missing !== undefined && process.env['CI'] !== 'true'
  const dialect = dialectOf[server.name]

  describe.skipIf(skipped)(`${server.package} and the dialect ${dialect}${skipped ? ` (${missing})` : ''}`, () => {
    let expected: OpenApiValidator
    let running: RunningServer
    const used = new Set<unknown>()

    beforeAll(async () => {
      expect(missing).toBeUndefined()
      expected = await openApiValidator(createMockServer({ dialect }))
      running = await serve(server, 'langgraph.json')
    })
    afterAll(() => running?.close())

    test.each(comparedCalls.map((call) => [nameOf(call), call] as const))('%s', async (_name, call) => {
      const imitated = await outcomeOf(call, expected, await startMockServer({ dialect }))
      const real = await outcomeOf(call, expected, running.url)
      await clean(running.url)
      const unexplained = compare(call, real, imitated).filter((point) => {
        const explanation = explanationOf(server.name, point)
        used.add(explanation)
        return explanation === undefined
      })
      expect(unexplained).toEqual([])
    })

    test('every difference in the list was found', () => {
      const listed = sdkDifferences.filter((each) => each.servers.includes(server.name) && !each.isIntermittent)
      expect(listed.filter((difference) => !used.has(difference))).toEqual([])
    })
  })
}
