import { levelOf } from '../catalog/catalog.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Exchange } from '../model/exchange.ts'
import type { TracedOutcome } from '../trace/entries.ts'
import type { Finding } from './evaluate.ts'

/** Returns the failed requirement that explains why a scenario was stopped; undefined if none does. */
export type FindCause = (outcome: TracedOutcome) => string | undefined

/**
 * Creates a function that explains stops by findings: a requirement that fails in the same exchange, or, of requests that
 * are not accepted, in another request of the same operation.
 */
export function createCauses(findings: readonly Finding[], exchanges: readonly Exchange[]): FindCause {
  const failed = findings.filter(({ verdict, requirement }) => verdict === 'fail' && levelOf(requirement) === 'MUST')
  const byExchange = new Map<number, RequirementId>()
  const byOperation = new Map<string, RequirementId>()
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  for (const { requirement, failing } of failed.toReversed()) {
    for (const id of failing) {
      byExchange.set(id, requirement)
      const exchange = byId.get(id)
      if (exchange && !exchange.accepted) byOperation.set(exchange.operation ?? '', requirement)
    }
  }
  return ({ blockedBy, exchange: id }) => {
    if (failed.some(({ requirement }) => requirement === blockedBy)) return blockedBy
    const exchange = byId.get(id ?? 0)
    if (exchange === undefined) return undefined
    return byExchange.get(exchange.id) ?? (exchange.accepted ? undefined : byOperation.get(exchange.operation ?? ''))
  }
}
