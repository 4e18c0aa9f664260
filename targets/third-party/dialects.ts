import { listen } from '../../mock-server/adapters/node.ts'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { testGraphsAuth } from '../../mock-server/graphs/test-graphs/auth.ts'
import { createMockServer } from '../../mock-server/index.ts'
import type { Implementation } from '../../reporters/ledger.ts'
import type { Manifest } from '../../suites/harness/manifest.ts'
import { testAuthEndpoint } from '../../suites/harness/test-graphs.ts'
import { observe } from './observe.ts'

/** Milliseconds until a run starts, long enough to be met before: a public server needs as long. */
const startDelayMs = 250

/** Observes what the mock server does in a dialect, open and behind the authentication of the test graphs. */
export async function observeDialect(dialect: DialectName): Promise<Implementation> {
  const mocks = [
    createMockServer({ dialect, startDelayMs }),
    createMockServer({ dialect, startDelayMs, auth: testGraphsAuth }),
  ] as const
  const [open, guarded] = await Promise.all([listen(mocks[0], { port: 0 }), listen(mocks[1], { port: 0 })])
  const manifest: Manifest = {
    endpoints: { open: { url: open.url }, 'custom-auth': testAuthEndpoint(guarded.url) },
    budgets: { slowMs: 400, pollMs: 25 },
  }
  try {
    return { name: dialect, observed: await observe(manifest, 'deployment', dialect) }
  } finally {
    await Promise.all([open.close(), guarded.close(), ...mocks.map((mock) => mock.close())])
  }
}
