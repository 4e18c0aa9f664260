import { listen } from '../../mock-server/adapters/node.ts'
import { testGraphs } from '../../mock-server/graphs/test-graphs/index.ts'
import { createMockServer, defineGraph } from '../../mock-server/index.ts'

// A mock server in a process of its own, which tells how much memory it holds and can forget everything. Run with --expose-gc.

/** Events one by one: `count` of them, `every_ms` apart, with a load of `bytes`. */
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
      const isForget = request.url.endsWith('/__forget')
      if (!isForget && !request.url.endsWith('/__usage')) return mock.handle(request, connection)
      if (isForget) mock.reset()
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
