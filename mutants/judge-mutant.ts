import { listen } from '../mock-server/adapters/node.ts'
import { defaultParts } from '../mock-server/deployment/parts.ts'
import { kitAuth } from '../mock-server/graphs/kit/auth.ts'
import { createMockServer } from '../mock-server/index.ts'
import type { Check } from '../suites/harness/check.ts'
import { kitAuthEndpoint } from '../suites/harness/kit.ts'
import type { Decision } from '../suites/harness/run-check.ts'
import { runChecks } from '../suites/harness/run-checks.ts'
import { openSession } from '../suites/harness/session.ts'
import type { RequirementId } from '../suites/requirements/generated/ids.ts'
import { requirement } from '../suites/requirements/register.ts'
import type { Claim } from '../suites/requirements/requirement.ts'
import type { Mutant } from './mutant.ts'

/** What the suites said of a mutant. */
export interface Judgement {
  readonly mutant: Mutant
  /** Rows that did not hold. */
  readonly flipped: ReadonlySet<RequirementId>
  /** Rows that it should have flipped and that still hold. */
  readonly survived: readonly RequirementId[]
  /** Rows that flipped although the mutant neither names nor explains them. */
  readonly unexplained: readonly RequirementId[]
  /** Our own faults on the way. */
  readonly harnessErrors: readonly string[]
}

/** Waits short enough for a server in this process. */
const budgets = { waitMs: 1500, slowMs: 120, pollMs: 25 }

const unmet = new Set(['fail', 'warn', 'flaky'])

/** Runs checks against the reference server with one defect and says which rows flipped. */
export async function judgeMutant(mutant: Mutant, checks: readonly Check[]): Promise<Judgement> {
  const decisions = await decide(mutant, checks)
  const flipped = new Set(decisions.filter(({ verdict }) => unmet.has(verdict)).map(({ row }) => row))
  const named = new Set<RequirementId>([...mutant.rows, ...(Object.keys(mutant.also ?? {}) as RequirementId[])])
  return {
    mutant,
    flipped,
    survived: mutant.rows.filter((row) => !flipped.has(row)),
    unexplained: [...flipped].filter((row) => !named.has(row)),
    harnessErrors: decisions
      .filter(({ verdict }) => verdict === 'harness-error')
      .map(({ row, failure }) => `${row}: ${failure?.message ?? ''}`),
  }
}

/** The checks that decide the rows a mutant names. */
export function namedChecks(mutant: Mutant, checks: readonly Check[]): readonly Check[] {
  return checks.filter((check) => check.rows.some((row) => mutant.rows.includes(row)))
}

/** The kind of endpoint that carries the defect. */
export function endpointOf(mutant: Mutant): Claim {
  const [first] = mutant.rows
  return mutant.on ?? (first && requirement(first).claim) ?? 'open'
}

async function decide(mutant: Mutant, checks: readonly Check[]): Promise<readonly Decision[]> {
  const claim = endpointOf(mutant)
  const mock = createMockServer({
    ...(claim === 'custom-auth' && { auth: kitAuth }),
    ...(mutant.parts && { parts: mutant.parts(defaultParts) }),
  })
  const fetch = mutant.wrap?.(mock.fetch) ?? mock.fetch
  const server = await listen({ fetch }, { port: 0 })
  const endpoint = claim === 'open' ? { url: server.url } : kitAuthEndpoint(server.url)
  const session = openSession({ endpoints: { [claim]: endpoint }, budgets }, claim, mutant.id)
  try {
    return await runChecks(checks, [session], 16)
  } finally {
    await session.close()
    await server.close()
    await mock.close()
  }
}
