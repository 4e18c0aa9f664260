import { type Requirement, section, unspecified } from '../requirement.ts'
import { bodyProbes, fieldProbes, malformedIdProbes, routeProbes, unknownProbes } from './probes.ts'

/** Points of the deployment API that the document leaves open and that no other section observes. */
export const silenceRequirements: readonly Requirement[] = [
  ...section('deployment', 'Resources and their fields / Thread', [
    unspecified('thread.fields.values.after-runs', 'Where a thread shows its `values` after runs.', {
      interpretation:
        'No endpoint of the document answers with one thread: the state that runs left is judged by its own endpoint.',
    }),
    unspecified('thread.read', 'What GET /threads/{thread_id} answers.'),
    unspecified('ids.thread', 'Which version of UUID thread ids have.'),
    unspecified('ids.run', 'Which version of UUID run ids have.'),
    unspecified('ids.assistant', 'Which version of UUID the ids of created assistants have.'),
    unspecified('ids.default-assistant', 'Which version of UUID the ids of default assistants have.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /threads', [
    unspecified('thread.create.metadata', 'What POST /threads does with `metadata`.'),
    unspecified('thread.create.thread-id', 'What POST /threads does with `thread_id`.'),
    unspecified('thread.create.existing-id', 'What POST /threads answers for a `thread_id` that exists.'),
    unspecified('thread.create.if-exists', 'What POST /threads does with `if_exists` for a `thread_id` that exists.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs', [
    unspecified('run.list.order', 'In which order runs are listed.'),
    unspecified('run.list.default-page-size', 'How many runs are listed without `limit`.'),
    unspecified('run.list.limit', 'What the query parameter `limit` does.'),
    unspecified('run.list.offset', 'What the query parameter `offset` does, together with `limit`.'),
    unspecified('run.list.status', 'What the query parameter `status` does.'),
    unspecified('run.list.page-headers', 'Which headers of a list tell of further pages.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /threads/{thread_id}/runs', [
    unspecified('run.create.headers', 'Which headers of the answer to run creation name the run.'),
    unspecified('run.create.no-input-outcome', 'How a run without `input` ends on a new thread.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs/{run_id}/join', [
    unspecified('run.join.body', 'Which body a join has.'),
    unspecified('run.join.body-of-failed-run', 'Which body the join of a failed run has.'),
    unspecified('run.join.body-of-failed-run-again', 'Whether a second join of a failed run has the same body.'),
    unspecified('run.join.parameters', 'What a join with the query parameter `cancel_on_disconnect` answers.'),
  ]),
  ...section('deployment', 'States and transitions / Run status', [
    unspecified('run.status.of-failed-run', 'Which status a run takes whose graph fails.'),
    unspecified('state.after-failure', 'What the thread state holds after a run has failed.'),
  ]),
  ...section('deployment', 'States and transitions / Thread status', [
    unspecified('thread.status.while-executing', 'Which status a thread has while a run executes on it.'),
    unspecified('thread.status.after-success', 'Which status a thread has after a run has succeeded.'),
    unspecified('thread.status.after-failure', 'Which status a thread has after a run has failed.'),
    unspecified('thread.status.after-interruption', 'Which status a thread has after a run has interrupted another.'),
  ]),
  ...section('deployment', 'Events', [
    unspecified('webhook.payload', 'What a webhook delivers.', {
      excluded: 'A delivery goes to a listener that the target must reach; the requests of the API do not show it.',
    }),
  ]),
  ...section('deployment', 'Errors', [
    unspecified('errors.body-shape', 'Which shapes the bodies of errors have.'),
    ...[bodyProbes, fieldProbes, unknownProbes, malformedIdProbes, routeProbes]
      .flat()
      .map(({ id, statement }) => unspecified(id, statement)),
  ]),
]
