import { open, type Requirement, section } from '../requirement.ts'
import { bodyProbes, fieldProbes, malformedIdProbes, routeProbes, unknownProbes } from './probes.ts'

/** Points of the deployment API that the document leaves open and that no other section observes. */
export const silenceRows: readonly Requirement[] = [
  ...section('deployment', 'Resources and their fields / Thread', [
    open('thread.fields.values.after-runs', 'Where a thread shows its `values` after runs.', {
      reading:
        'No endpoint of the document answers with one thread: the state that runs left is judged by its own endpoint.',
    }),
    open('thread.read', 'What GET /threads/{thread_id} answers.'),
    open('ids.thread', 'Which version of UUID thread ids have.'),
    open('ids.run', 'Which version of UUID run ids have.'),
    open('ids.assistant', 'Which version of UUID the ids of created assistants have.'),
    open('ids.default-assistant', 'Which version of UUID the ids of default assistants have.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /threads', [
    open('thread.create.metadata', 'What POST /threads does with `metadata`.'),
    open('thread.create.thread-id', 'What POST /threads does with `thread_id`.'),
    open('thread.create.existing-id', 'What POST /threads answers for a `thread_id` that exists.'),
    open('thread.create.if-exists', 'What POST /threads does with `if_exists` for a `thread_id` that exists.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs', [
    open('run.list.order', 'In which order runs are listed.'),
    open('run.list.default-page-size', 'How many runs are listed without `limit`.'),
    open('run.list.limit', 'What the query parameter `limit` does.'),
    open('run.list.offset', 'What the query parameter `offset` does, together with `limit`.'),
    open('run.list.status', 'What the query parameter `status` does.'),
    open('run.list.page-headers', 'Which headers of a list tell of further pages.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /threads/{thread_id}/runs', [
    open('run.create.headers', 'Which headers of the answer to run creation name the run.'),
    open('run.create.no-input-outcome', 'How a run without `input` ends on a new thread.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs/{run_id}/join', [
    open('run.join.body', 'Which body a join has.'),
    open('run.join.body-of-failed-run', 'Which body the join of a failed run has.'),
    open('run.join.body-of-failed-run-again', 'Whether a second join of a failed run has the same body.'),
    open('run.join.parameters', 'What a join with the query parameter `cancel_on_disconnect` answers.'),
  ]),
  ...section('deployment', 'States and transitions / Run status', [
    open('run.status.of-failed-run', 'Which status a run takes whose graph fails.'),
    open('state.after-failure', 'What the thread state holds after a run has failed.'),
  ]),
  ...section('deployment', 'States and transitions / Thread status', [
    open('thread.status.while-executing', 'Which status a thread has while a run executes on it.'),
    open('thread.status.after-success', 'Which status a thread has after a run has succeeded.'),
    open('thread.status.after-failure', 'Which status a thread has after a run has failed.'),
    open('thread.status.after-interruption', 'Which status a thread has after a run has interrupted another.'),
  ]),
  ...section('deployment', 'Events', [
    open('webhook.payload', 'What a webhook delivers.', {
      excluded: 'A delivery goes to a listener that the target must reach; the requests of the API do not show it.',
    }),
  ]),
  ...section('deployment', 'Errors', [
    open('errors.body-shape', 'Which shapes the bodies of errors have.'),
    ...[bodyProbes, fieldProbes, unknownProbes, malformedIdProbes, routeProbes]
      .flat()
      .map(({ id, statement }) => open(id, statement)),
  ]),
]
