import { expect, test } from 'vitest'
import { listen } from '../../mock-server/adapters/node.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { noSchemathesis, schemathesis } from '../fixtures/schemathesis.ts'

// The short form of `npm run long -- schemathesis`.
test.skipIf(noSchemathesis !== undefined)(
  `an independent fuzzer receives only described responses${noSchemathesis ? ` (${noSchemathesis})` : ''}`,
  async () => {
    const errors: unknown[] = []
    const server = await listen(createMockServer(), { port: 0, onError: (error) => errors.push(error) })
    const { code, output, cases } = await schemathesis(server.url, 1)
    await server.close()
    expect(errors).toEqual([])
    expect(code, output).toBe(0)
    expect(cases).toBeGreaterThan(1_000)
  },
)
