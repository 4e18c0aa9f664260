import { levelOf } from '../catalog/catalog.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Exchange } from '../model/exchange.ts'
import type { TracedOutcome } from '../trace/entries.ts'
import type { Finding } from './evaluate.ts'

/** Finds the failed requirement that explains a missing verdict; undefined if none does. */
export interface Causes {
  /**
   * Explains why a scenario was stopped: a requirement fails in the same exchange, or, of requests that are not accepted, in
   * another request of the same operation.
   */
  ofStop(outcome: TracedOutcome): string | undefined
  /**
   * Explains why no response decides a requirement: a requirement about what contains its values fails in these exchanges,
   * for example `stream.updates.value-object` for `stream.updates.ai.id.type`, or one of these requests is not accepted.
   */
  ofNoCase(requirement: RequirementId, exchanges: readonly Exchange[]): RequirementId | undefined
  /** Whether the requirement at the end of a chain of blocked ones fails. */
  endsWithFailure(blockedBy: RequirementId): boolean
}

/** Creates the causes from the findings on one endpoint. */
export function createCauses(findings: readonly Finding[], exchanges: readonly Exchange[]): Causes {
  const failed = findings.filter(({ verdict, requirement }) => verdict === 'fail' && levelOf(requirement) === 'MUST')
  const byExchange = new Map<number, RequirementId>()
  const byOperation = new Map<string, RequirementId>()
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  const record = (id: number, requirement: RequirementId): void => {
    byExchange.set(id, requirement)
    const exchange = byId.get(id)
    if (exchange && !exchange.accepted) byOperation.set(exchange.operation ?? '', requirement)
  }
  const failedIds = new Set(failed.map(({ requirement }) => requirement))
  for (const [id, requirement] of findings.flatMap(({ explained }) => [...explained])) {
    if (failedIds.has(requirement)) record(id, requirement)
  }
  for (const { requirement, failing } of failed.toReversed()) {
    for (const id of failing) record(id, requirement)
  }
  return {
    ofStop({ blockedBy, exchange: id }) {
      if (failedIds.has(blockedBy as RequirementId)) return blockedBy
      const exchange = byId.get(id ?? 0)
      if (exchange === undefined) return undefined
      return byExchange.get(exchange.id) ?? (exchange.accepted ? undefined : byOperation.get(exchange.operation ?? ''))
    },
    ofNoCase(requirement, sent) {
      const refused = sent.find(({ id, accepted }) => !accepted && byExchange.has(id))
      const containers = failed.filter((each) => isAboutContainer(each.requirement, requirement))
      const container = containers.find(({ failing }) => sent.some(({ id }) => failing.has(id)))
      return container?.requirement ?? byExchange.get(refused?.id ?? 0)
    },
    endsWithFailure(blockedBy) {
      const chain = new Set<RequirementId>()
      for (let id: RequirementId | undefined = blockedBy; id !== undefined && !chain.has(id); ) {
        chain.add(id)
        const finding = findings.find(({ requirement }) => requirement === id)
        if (finding?.verdict === 'fail') return true
        id = finding?.decidedBy.blockedBy
      }
      return false
    },
  }
}

/** The last name of a requirement about the form of a value. Without that form, what the value contains cannot be read. */
const form = /^answers-|(^|-)(array|object|objects|type|present|json)$/

/**
 * Whether a requirement is about the form of a value that contains those of another one: all its names but the last are
 * the other's.
 */
function isAboutContainer(requirement: RequirementId, other: RequirementId): boolean {
  const names = requirement.split('.')
  const container = names.slice(0, -1)
  const isForm = form.test(names.at(-1) ?? '')
  return isForm && container.length > 1 && container.every((name, index) => other.split('.')[index] === name)
}
