import { listen } from '../../mock-server/adapters/node.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { noSchemathesis, schemathesis as runSchemathesis } from '../fixtures/schemathesis.ts'
import type { LongTest } from './long-test.ts'

const EXAMPLES = 25

/** Runs an independent fuzzer in each dialect: no 5xx and no undescribed response. */
export const schemathesis: LongTest = async (print) => {
  if (noSchemathesis !== undefined) {
    print(noSchemathesis)
    return false
  }
  let passed = true
  for (const dialect of ['spec', 'agent-server', 'js-dev'] as const) {
    const server = await listen(createMockServer({ dialect }), { port: 0 })
    const { code, output, cases } = await runSchemathesis(server.url, EXAMPLES)
    await server.close()
    print(`${dialect}: ${cases} requests, exit ${code}`)
    if (code !== 0) print(output)
    passed &&= code === 0
  }
  return passed
}
