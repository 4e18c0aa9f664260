import type { RequirementId } from '../../catalog/generated/ids.ts'
import { type DeploymentModel, keyOf } from '../../model/deployment.ts'
import { derive } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { at } from '../../values/json.ts'
import { type Case, deciding } from '../rule.ts'
import { assistantRules } from './assistants.ts'
import { runRules } from './runs.ts'
import { stateRules } from './states.ts'
import { threadRules } from './threads.ts'

/** Requirements about which object a response shows, with the name of the id that a creation repeats. */
const identities: Partial<Record<RequirementId, string | undefined>> = {
  'thread.create.fresh-id': 'thread_id',
  'run.create.fresh-id': 'run_id',
  'assistant.create.fresh-id': 'assistant_id',
  'state.get.that-thread': undefined,
  'state.get.latest': undefined,
  'multitask.enqueue.many-threads.apart': undefined,
}

const identityRules = deciding(
  [...threadRules, ...runRules, ...assistantRules, ...stateRules],
  Object.keys(identities) as RequirementId[],
)

/** Responses that show another object than they should, and ids of several objects, each with the failed requirement. */
function confusions(model: DeploymentModel) {
  const responses = new Map<Exchange, RequirementId>()
  const ids = new Map<string, RequirementId>()
  for (const { requirement, mismatch, subject } of identityRules.flatMap((rule) => [...rule.cases(model)])) {
    if (mismatch === undefined || subject.exchange.intent === 'probe') continue
    responses.set(subject.exchange, requirement)
    const name = identities[requirement]
    const id = name === undefined ? undefined : keyOf(at(subject.exchange.json, name))
    if (id !== undefined) ids.set(id, requirement)
  }
  return { responses, ids }
}

/** Returns the failed requirement because of which a response shows another object than it should. */
export function confusionOf(
  { requirement, subject: { exchange } }: Case,
  model: DeploymentModel,
): RequirementId | undefined {
  if (Object.hasOwn(identities, requirement)) return undefined
  const { responses, ids } = derive(model, confusions)
  const named = [...Object.values(exchange.params), keyOf(at(exchange.request, 'assistant_id'))]
  return responses.get(exchange) ?? named.map((id) => ids.get(id ?? '')).find((cause) => cause !== undefined)
}
