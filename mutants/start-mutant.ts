import { listen } from '../mock-server/adapters/node.ts'
import { defaultParts } from '../mock-server/deployment/parts.ts'
import { kitAuth } from '../mock-server/graphs/kit/auth.ts'
import { createMockServer } from '../mock-server/index.ts'
import { kitAuthEndpoint } from '../suites/harness/kit.ts'
import type { TargetEndpoint } from '../suites/harness/manifest.ts'
import { requirement } from '../suites/requirements/register.ts'
import type { Claim } from '../suites/requirements/requirement.ts'
import type { Mutant } from './mutant.ts'

/** A mutant that listens. */
export interface StartedMutant {
  readonly claim: Claim
  /** The mutant as an endpoint of a target. */
  readonly endpoint: TargetEndpoint
  close(): Promise<void>
}

/** Starts the reference server with one defect on a port; 0 takes any that is free. */
export async function startMutant(mutant: Mutant, port: number): Promise<StartedMutant> {
  const [first] = mutant.rows
  const claim = mutant.on ?? (first && requirement(first).claim) ?? 'open'
  const mock = createMockServer({
    ...(claim === 'custom-auth' && { auth: kitAuth }),
    ...(mutant.parts && { parts: mutant.parts(defaultParts) }),
  })
  const fetch = mutant.wrap?.(mock.fetch) ?? mock.fetch
  const server = await listen({ fetch }, { port })
  return {
    claim,
    endpoint: claim === 'open' ? { url: server.url } : kitAuthEndpoint(server.url),
    async close() {
      await server.close()
      await mock.close()
    },
  }
}
