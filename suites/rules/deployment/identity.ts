import { isUuid } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { idsMatching } from '../../catalog/patterns.ts'
import { type DeploymentModel, keyOf } from '../../model/deployment.ts'
import { derive } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { at, textAt } from '../../values/json.ts'
import { dataOf } from '../../values/stream-data.ts'
import { type Case, deciding } from '../rule.ts'
import { assistantRules } from './assistants.ts'
import { runFieldRules } from './run-fields.ts'
import { runRules } from './runs.ts'
import { stateRules } from './states.ts'
import { streamRules } from './streams.ts'
import { threadRules } from './threads.ts'

/** What follows if a response shows another object than it should. */
interface Identity {
  /** The name of the id that a creation repeats. */
  readonly id?: string
  /** Whether a failure shows another object, and not only a wrong value. By default, each does. */
  readonly isOther?: (failing: Case) => boolean
  /** The requirements that it explains, by default all. */
  readonly explains?: ReadonlySet<RequirementId>
  /** The requirements that it explains in all responses: others lack what this one shows. */
  readonly explainsOthers?: ReadonlySet<RequirementId>
}

/** Requirements about which object a response shows. */
const identities: Partial<Record<RequirementId, Identity>> = {
  'thread.create.fresh-id': { id: 'thread_id' },
  'run.create.fresh-id': { id: 'run_id' },
  'assistant.create.fresh-id': { id: 'assistant_id' },
  'state.get.that-thread': {},
  // An earlier state lacks what later steps and runs have written.
  'state.get.latest': {
    explainsOthers: idsMatching([
      'message.input.*',
      'message.answer.*',
      'message.tool.*',
      'state.values.*',
      'state.metadata.*.same',
      'service.thread.*',
    ]),
  },
  'multitask.enqueue.many-threads.apart': {},
  // The arguments of another run, perhaps of one that was refused, in the record of this one.
  'run.kwargs.config.configurable.run_id.own': {
    isOther: ({ mismatch }) => isUuid(mismatch?.received.replaceAll('"', '')),
    explains: idsMatching([
      'run.kwargs.*',
      'run.get.as-created',
      'run.list.as-created',
      'stream.mode.*',
      'stream.run.kwargs-stream_mode',
    ]),
  },
  // The events of another stream, among those of this one.
  'stream.metadata.once': {
    isOther: ({ subject: { exchange } }) =>
      new Set(dataOf(exchange.events, 'metadata').map((data) => textAt(data, 'run_id'))).size > 1,
    explains: idsMatching(['stream.*']),
    explainsOthers: idsMatching(['stream.create.*', 'stream.metadata.*', 'stream.updates.*', 'stream.end.*']),
  },
}

const identityRules = deciding(
  [...threadRules, ...runRules, ...runFieldRules, ...assistantRules, ...stateRules, ...streamRules],
  Object.keys(identities) as RequirementId[],
)

/** Responses that show another object than they should, and ids of several objects, each with the failed requirement. */
function confusions(model: DeploymentModel) {
  const responses = new Map<Exchange, RequirementId>()
  const ids = new Map<string, RequirementId>()
  for (const failing of identityRules.flatMap((rule) => [...rule.cases(model)])) {
    const { requirement, mismatch, subject } = failing
    const identity = identities[requirement]
    if (identity === undefined || mismatch === undefined || subject.exchange.intent === 'probe') continue
    const { id: name, isOther } = identity
    if (isOther?.(failing) === false) continue
    responses.set(subject.exchange, requirement)
    const id = name === undefined ? undefined : keyOf(at(subject.exchange.json, name))
    if (id !== undefined) ids.set(id, requirement)
  }
  const requirements = new Set(responses.values())
  return { responses, ids, requirements }
}

/** Returns the failed requirement because of which a response shows another object than it should. */
export function confusionOf(
  { requirement, subject: { exchange } }: Case,
  model: DeploymentModel,
): RequirementId | undefined {
  if (Object.hasOwn(identities, requirement)) return undefined
  const { responses, ids, requirements } = derive(model, confusions)
  const named = [...Object.values(exchange.params), keyOf(at(exchange.request, 'assistant_id'))]
  const cause = responses.get(exchange) ?? named.map((id) => ids.get(id ?? '')).find((each) => each !== undefined)
  if (cause === undefined) return [...requirements].find((id) => identities[id]?.explainsOthers?.has(requirement))
  return identities[cause]?.explains?.has(requirement) === false ? undefined : cause
}
