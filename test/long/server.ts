import { listen } from '../../mock-server/adapters/node.ts'
import { testGraphs } from '../../mock-server/graphs/test-graphs.ts'
import { createMockServer, defineGraph } from '../../mock-server/index.ts'

// A mock server process with endpoints that report its memory and reset it. Requires --expose-gc.

/** Emits `count` events, `every_ms` apart, each with a load of `bytes`. */
const ticks = defineGraph({
  nodes: {
    ticks: async (_state, { config, emit, sleep }) => {
      const { count, every_ms, bytes } = config.configurable
      const load = bytes === undefined ? {} : { load: 'x'.repeat(Number(bytes)) }
      for (let tick = 0; tick < Number(count); tick++) {
        emit({ tick, ...load })
        await sleep(Number(every_ms))
      }
    },
  },
})

let errors = 0
const [maxEventsBehind] = process.argv.slice(2).map(Number)
const limits = maxEventsBehind === undefined ? {} : { maxEventsBehind }
const mock = createMockServer({ graphs: { ...testGraphs, ticks }, limits })
const { url } = await listen(
  {
    handle: async (request, connection) => {
      const isReset = request.url.endsWith('/__forget')
      if (!isReset && !request.url.endsWith('/__usage')) return mock.handle(request, connection)
      if (isReset) mock.reset()
      globalThis.gc?.()
      const { rss, heapUsed } = process.memoryUsage()
      return Response.json({ rss, heapUsed, errors })
    },
  },
  {
    port: 0,
    replaceGlobals: true,
    onError: () => {
      errors += 1
    },
  },
)
process.stdout.write(`${url}\n`)
