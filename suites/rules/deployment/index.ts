import { assistantTable } from '../../catalog/deployment/assistant.ts'
import { runTable } from '../../catalog/deployment/run.ts'
import { stateTable } from '../../catalog/deployment/state.ts'
import type { DeploymentModel } from '../../model/deployment.ts'
import { createRun } from '../../model/operations.ts'
import { type Consequences, otherKind, withCause, withConsequences } from '../causes.ts'
import type { Rule } from '../rule.ts'
import { abandonedRunRules } from './abandoned-runs.ts'
import { assistantFieldRules } from './assistant-fields.ts'
import { assistantRunRules } from './assistant-runs.ts'
import { assistantSearchRules } from './assistant-search.ts'
import { assistantRules } from './assistants.ts'
import { authAccessRules } from './auth-access.ts'
import { authRefusalRules } from './auth-refusal.ts'
import { authUserRules, hiddenThread } from './auth-user.ts'
import { consistencyRules, replacedMessage } from './consistency.ts'
import { confusionOf } from './identity.ts'
import { joinRules } from './joins.ts'
import { messageFieldRules } from './message-fields.ts'
import { messageRules } from './messages.ts'
import { multitaskRules } from './multitask.ts'
import { refusedBesideBusyThread } from './multitask-requests.ts'
import { refusedRunRules } from './refused-runs.ts'
import { runCreateRules } from './run-create.ts'
import { runFieldRules } from './run-fields.ts'
import { lateResults, runStatusRules } from './run-status.ts'
import { lostRun, runRules } from './runs.ts'
import { serviceRules } from './service.ts'
import { stateFieldRules } from './state-fields.ts'
import { stateRules } from './states.ts'
import { streamFieldRules } from './stream-fields.ts'
import { streamRunRules } from './stream-runs.ts'
import { failingStreamRules, streamUpdateRules } from './stream-updates.ts'
import { streamRules } from './streams.ts'
import { lostThread, threadRules } from './threads.ts'
import { timeRules } from './times.ts'

/**
 * A wrong id names another run, the list and the state of another thread contain other runs and messages, the state of a
 * thread whose run still executes, or lost outputs to a rejected one, lacks what that run has not written, a run whose
 * assistant lost its settings does not sleep as long as these say, and users are mixed
 * up in some requests only.
 */
const consequences: Consequences = {
  'run.status.not-final-while-executing': [
    'state.idle.*',
    'state.fields.*',
    'state.values.*',
    'state.metadata.*',
    'message.answer.*',
    'multitask.interrupt.finished-status-stays',
  ],
  'assistant.config.reaches-graph': ['run.status.not-final-while-executing'],
  'run.status.keeps-final': ['run.list.current-status', 'run.get.current-status', 'multitask.interrupt.*'],
  'run.list.own-runs': [
    'run.list.every-run',
    'run.list.empty',
    'stream.run.recorded',
    'stream.run.one',
    'stream.metadata.run_id.of-run',
  ],
  'run.list.every-run': ['stream.run.recorded'],
  'auth.user.streamed-run': ['auth.user.second-user'],
  'auth.user.side-by-side': ['auth.handler.receives-headers'],
  'service.multitask.new-run-decides': ['multitask.governed-by-strategy'],
  'run.create.fresh-id': [
    'run.get.*',
    'run.list.*',
    'run.join.*',
    'run.kwargs.*',
    'multitask.*',
    'service.background.*',
    'service.multitask.*',
    'auth.scope.*',
  ],
  'multitask.reject.earlier-outputs': ['stream.run.results-in-state'],
  'stream.framing.text': ['stream.updates.parts-as-stored'],
  'state.get.that-thread': [
    'message.*',
    'state.idle.*',
    'state.fields.*',
    'state.values.*',
    'state.metadata.*',
    'run.status.results-after-join',
    'run.status.results-in-state',
    'service.thread.keeps-conversation',
    'auth.studio.state',
    'auth.scope.own-state',
    'auth.user.*',
  ],
}

const rules: readonly Rule<DeploymentModel>[] = [
  ...threadRules,
  ...timeRules,
  ...runFieldRules,
  ...runCreateRules,
  ...refusedRunRules,
  ...runRules,
  ...joinRules,
  ...runStatusRules,
  ...abandonedRunRules,
  ...consistencyRules,
  ...assistantFieldRules,
  ...assistantRules,
  ...assistantSearchRules,
  ...assistantRunRules,
  ...authRefusalRules,
  ...authAccessRules,
  ...authUserRules,
  ...serviceRules,
  ...stateFieldRules,
  ...stateRules,
  ...messageFieldRules,
  ...messageRules,
  ...multitaskRules,
  ...streamFieldRules,
  ...streamRules,
  ...streamRunRules,
  ...streamUpdateRules,
  ...failingStreamRules,
]

const shownObject = otherKind(rules, {
  'run.create.answers-run': { operation: createRun, table: runTable },
  'run.get.answers-run': { operation: 'GET /threads/{thread_id}/runs/{run_id}', table: runTable },
  'state.get.answers-state': { operation: 'GET /threads/{thread_id}/state', table: stateTable },
  'assistant.create.answers-assistant': { operation: 'POST /assistants', table: assistantTable },
  'assistant.get.answers-assistant': { operation: 'GET /assistants/{assistant_id}', table: assistantTable },
})

/** All rules about the deployment API. */
export const deploymentRules = withConsequences(
  withCause(
    rules,
    (...failure) =>
      shownObject(...failure) ??
      lostThread(...failure) ??
      hiddenThread(...failure) ??
      lostRun(...failure) ??
      confusionOf(...failure) ??
      refusedBesideBusyThread(...failure) ??
      replacedMessage(...failure) ??
      lateResults(...failure),
  ),
  consequences,
)
