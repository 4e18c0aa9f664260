import { type Requirement, section, unspecified } from '../requirement.ts'
import { probes } from './probes.ts'

/** Unspecified behavior of the deployment API that belongs to no other section. */
export const unspecifiedRequirements: readonly Requirement[] = [
  ...section('deployment', 'Resources and their fields / Thread', [
    unspecified('thread.fields.values.after-runs', 'Where a thread shows its `values` after runs.', {
      interpretation:
        'The specification has no endpoint that returns one thread; the state after runs is tested through the state endpoint.',
    }),
    unspecified('thread.read', 'What GET /threads/{thread_id} returns.'),
    unspecified('ids.thread', 'Which UUID version thread ids have.'),
    unspecified('ids.run', 'Which UUID version run ids have.'),
    unspecified('ids.assistant', 'Which UUID version the ids of created assistants have.'),
    unspecified('ids.default-assistant', 'Which UUID version the ids of default assistants have.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /threads', [
    unspecified('thread.create.metadata', 'What POST /threads does with `metadata`.'),
    unspecified('thread.create.thread-id', 'What POST /threads does with `thread_id`.'),
    unspecified('thread.create.existing-id', 'What POST /threads returns for a `thread_id` that exists.'),
    unspecified('thread.create.if-exists', 'What POST /threads does with `if_exists` for a `thread_id` that exists.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs', [
    unspecified('run.list.order', 'The order in which runs are listed.'),
    unspecified('run.list.default-page-size', 'How many runs are listed without `limit`.'),
    unspecified('run.list.limit', 'What the query parameter `limit` does.'),
    unspecified('run.list.offset', 'What the query parameter `offset` does in combination with `limit`.'),
    unspecified('run.list.status', 'What the query parameter `status` does.'),
    unspecified('run.list.page-headers', 'Which response headers of a list describe further pages.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /threads/{thread_id}/runs', [
    unspecified('run.create.headers', 'Which response headers of run creation name the run.'),
    unspecified('run.create.no-input-outcome', 'How a run without `input` ends on a new thread.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs/{run_id}/join', [
    unspecified('run.join.body', 'Which body a join returns.'),
    unspecified('run.join.body-of-failed-run', 'Which body the join of a failed run returns.'),
    unspecified('run.join.body-of-failed-run-again', 'Whether a second join of a failed run returns the same body.'),
    unspecified('run.join.parameters', 'What a join with the query parameter `cancel_on_disconnect` returns.'),
  ]),
  ...section('deployment', 'States and transitions / Run status', [
    unspecified('run.status.of-failed-run', 'Which status a run takes if its graph fails.'),
    unspecified('state.after-failure', 'What the thread state contains after a run has failed.'),
  ]),
  ...section('deployment', 'States and transitions / Thread status', [
    unspecified('thread.status.while-executing', 'Which status a thread has while a run executes on it.'),
    unspecified('thread.status.after-success', 'Which status a thread has after a run has succeeded.'),
    unspecified('thread.status.after-failure', 'Which status a thread has after a run has failed.'),
    unspecified('thread.status.after-interruption', 'Which status a thread has after one run has interrupted another.'),
  ]),
  ...section('deployment', 'Events', [
    unspecified('webhook.payload', 'What a webhook delivers.', {
      excluded: 'Observing a delivery would need a listener that the server can reach.',
    }),
  ]),
  ...section('deployment', 'Errors', [
    unspecified('errors.body-shape', 'Which shapes error bodies have.'),
    ...probes.map(({ id, statement }) => unspecified(id, statement)),
  ]),
]
