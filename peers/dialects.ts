import { listen } from '../mock-server/adapters/node.ts'
import type { DialectName } from '../mock-server/deployment/dialect.ts'
import { kitAuth } from '../mock-server/graphs/kit/auth.ts'
import { createMockServer } from '../mock-server/index.ts'
import type { Implementation } from '../reporters/ledger.ts'
import { checks } from '../suites/checks.ts'
import { kitAuthEndpoint } from '../suites/harness/kit.ts'
import type { Manifest } from '../suites/harness/manifest.ts'
import { runChecks } from '../suites/harness/run-checks.ts'
import { openSession } from '../suites/harness/session.ts'
import { levelOf } from '../suites/requirements/register.ts'
import { observations } from './observed.ts'

/** Milliseconds until a run starts, long enough to be met before: a public server needs as long. */
const startDelayMs = 250

const observing = checks.filter(({ rows }) => rows.some((row) => levelOf(row) === 'OPEN'))

/** Observes what the mock server does in a dialect, open and behind the kit's authentication. */
export async function observeDialect(dialect: DialectName): Promise<Implementation> {
  const mocks = [
    createMockServer({ dialect, startDelayMs }),
    createMockServer({ dialect, startDelayMs, auth: kitAuth }),
  ] as const
  const [open, guarded] = await Promise.all([listen(mocks[0], { port: 0 }), listen(mocks[1], { port: 0 })])
  const manifest: Manifest = {
    endpoints: { open: { url: open.url }, 'custom-auth': kitAuthEndpoint(guarded.url) },
    budgets: { slowMs: 400, pollMs: 25 },
  }
  const sessions = Object.keys(manifest.endpoints).map((name) => openSession(manifest, name, dialect))
  try {
    const decisions = await runChecks(observing, sessions, 24)
    const byRow = Map.groupBy(
      decisions.filter(({ row }) => levelOf(row) === 'OPEN'),
      ({ row }) => row,
    )
    // Decisions come in the order in which checks end; a row's are told endpoint by endpoint.
    const names = Object.keys(manifest.endpoints)
    const inOrder = [...byRow].map(([row, found]) => {
      return [row, found.toSorted((a, b) => names.indexOf(a.endpoint) - names.indexOf(b.endpoint))] as const
    })
    return { name: dialect, observed: observations(inOrder) }
  } finally {
    await Promise.all(sessions.map((session) => session.close()))
    await Promise.all([open.close(), guarded.close(), ...mocks.map((mock) => mock.close())])
  }
}
