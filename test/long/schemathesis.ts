import { listen } from '../../mock-server/adapters/node.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { schemathesis as fuzzed, noSchemathesis } from '../fixtures/schemathesis.ts'
import type { LongTest } from './long-test.ts'

const EXAMPLES = 25

/** An independent fuzzer, in each dialect: no failure of the server, no answer that its description does not know. */
export const schemathesis: LongTest = async (print) => {
  if (noSchemathesis !== undefined) {
    print(noSchemathesis)
    return false
  }
  let isRight = true
  for (const dialect of ['spec', 'agent-server', 'js-dev'] as const) {
    const server = await listen(createMockServer({ dialect }), { port: 0 })
    const { code, output, cases } = await fuzzed(server.url, EXAMPLES)
    await server.close()
    print(`${dialect}: ${cases} requests, exit ${code}`)
    if (code !== 0) print(output)
    isRight &&= code === 0
  }
  return isRight
}
