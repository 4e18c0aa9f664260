import type { RequirementId } from '../../catalog/generated/ids.ts'
import { type DeploymentModel, keyOf, type Run, threadOf } from '../../model/deployment.ts'
import type { Exchange } from '../../model/exchange.ts'
import { deployedGraphs } from '../../model/graphs.ts'
import type { Operation } from '../../model/operations.ts'
import { finalStatus, hadEnded, mayBeBusy } from '../../model/run-ends.ts'
import { at, listAt, textAt } from '../../values/json.ts'
import { nameOf, statusAndBody } from '../common.ts'
import { type Rule, rule, verify } from '../rule.ts'

/** The form of a request that creates a run, apart from its texts. */
interface Form {
  /** What `assistant_id` names. */
  readonly assistant: 'graph' | 'created' | 'default' | 'unknown'
  /** Roles of the input messages, separated by commas. */
  readonly roles: string
  /** Whether there are input messages. */
  readonly input: 'absent' | 'empty' | 'messages'
  /** Other keys of the input, separated by commas. */
  readonly furtherInput: string
  readonly strategy: unknown
  readonly streamMode: unknown
}

/** Returns the form of a request that creates a run. */
export function formOf(model: DeploymentModel, { request }: Exchange): Form {
  const roles = listAt(request, 'input', 'messages').map((message) => at(message, 'role'))
  const { messages: _, ...furtherInput } = Object(at(request, 'input'))
  return {
    assistant: kindOf(model, textAt(request, 'assistant_id') ?? ''),
    roles: roles.join(),
    input: at(request, 'input') === undefined ? 'absent' : roles.length === 0 ? 'empty' : 'messages',
    furtherInput: Object.keys(furtherInput).join(),
    strategy: at(request, 'multitask_strategy'),
    streamMode: at(request, 'stream_mode'),
  }
}

function kindOf({ endpoint, assistants, defaultAssistants }: DeploymentModel, named: string): Form['assistant'] {
  if (deployedGraphs(endpoint).includes(named)) return 'graph'
  const id = keyOf(named) ?? ''
  if (assistants.has(id)) return 'created'
  return defaultAssistants.has(id) ? 'default' : 'unknown'
}

/**
 * Returns a run with results that the thread had before a request that queues a run. Other requests are not compared: how soon
 * they are accepted after a run is unspecified.
 */
function earlierRun(model: DeploymentModel, exchange: Exchange): Run | undefined {
  if (at(exchange.request, 'multitask_strategy') !== 'enqueue') return undefined
  const hasResults = (run: Run) => hadEnded(run, exchange.sentAt) && finalStatus(run) === 'success'
  return threadOf(model, exchange)?.runs.find(hasResults)
}

/**
 * Creates a rule: run creation accepts requests with a value of one part of the form, on new threads and on those with
 * results. It fails if all of them are refused and a request that differs only in that part is accepted. `condition` names the
 * value in messages.
 *
 * @example
 * formRule('message.input.user-accepted', 'POST /threads/{thread_id}/runs', 'with the role `user`', 'roles', 'user')
 */
export function formRule<Part extends keyof Form>(
  requirement: RequirementId,
  operation: Operation,
  condition: string,
  part: Part,
  value: Form[Part],
): Rule<DeploymentModel> {
  return rule(requirement, {
    *each(model: DeploymentModel) {
      const attempts = model
        .attempts(operation)
        // What is accepted on a busy thread is stated for each strategy.
        .filter((exchange) => !mayBeBusy(threadOf(model, exchange), exchange))
        .map((exchange) => ({ exchange, form: formOf(model, exchange), earlier: earlierRun(model, exchange) }))
      // Without input, there are no roles to compare.
      const ignored = { [part]: 0, ...(part === 'input' && { roles: 0 }) }
      const isOnUsed = ({ earlier }: (typeof attempts)[number]) => earlier !== undefined
      const keyOfForm = (attempt: (typeof attempts)[number]) =>
        JSON.stringify({ ...attempt.form, ...ignored, isOnUsed: isOnUsed(attempt) })
      const byForm = Map.groupBy(
        attempts.filter(({ exchange }) => isAccepted(exchange)),
        keyOfForm,
      )
      const own = attempts.filter(({ form }) => form[part] === value)
      for (const same of Map.groupBy(own, isOnUsed).values()) {
        const accepted = same.find(({ exchange }) => isAccepted(exchange))
        if (accepted !== undefined) {
          yield accepted
          continue
        }
        for (const refused of same) {
          const [other] = byForm.get(keyOfForm(refused)) ?? []
          const { exchange, earlier } = refused
          // A busy server may refuse any request.
          if (other === undefined || (earlier && [413, 503].includes(exchange.status ?? 0))) continue
          yield { ...refused, setup: [earlier?.thread.creation, earlier?.creation, other.exchange] }
        }
      }
    },
    evaluate({ exchange, earlier }) {
      const place = earlier === undefined ? '' : ' on a thread with results'
      const name = `the response to ${nameOf(exchange)} ${condition}${place}`
      return verify(isAccepted(exchange), name, 'a 2xx response', statusAndBody(exchange))
    },
  })
}

/** Whether a response has a 2xx status; a stream may still be open. */
function isAccepted({ status }: Exchange): boolean {
  return status !== undefined && status >= 200 && status < 300
}
