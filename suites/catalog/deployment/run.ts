import { iso8601, object, offset, present, sameAs, string, uuid } from '../facts.ts'
import { type FieldTable, field, fieldRequirements } from '../fields.ts'
import { must, type Requirement, section, should, unspecified } from '../requirement.ts'
import { requested, runPlaces, unknownId } from './run-places.ts'
import { currentTimes } from './thread.ts'

/** Endpoints that return JSON. */
export const jsonEndpoints = [
  { name: 'thread-create', endpoint: 'POST /threads' },
  { name: 'run-create', endpoint: 'POST /threads/{thread_id}/runs' },
  { name: 'run-get', endpoint: 'GET /threads/{thread_id}/runs/{run_id}' },
  { name: 'run-list', endpoint: 'GET /threads/{thread_id}/runs' },
  { name: 'state-get', endpoint: 'GET /threads/{thread_id}/state' },
  { name: 'assistant-create', endpoint: 'POST /assistants' },
  { name: 'assistant-search', endpoint: 'POST /assistants/search' },
  { name: 'assistant-get', endpoint: 'GET /assistants/{assistant_id}' },
] as const

const strategy = requested('multitask_strategy')

/** Fields of a run. */
export const runTable: FieldTable = {
  prefix: 'run.fields',
  area: 'deployment',
  section: 'Resources and their fields / Run',
  subject: 'a run',
  places: runPlaces(),
  fields: [
    field('run_id', present(), string(), uuid()),
    field(
      'thread_id',
      present(),
      string(),
      uuid(),
      sameAs('own', 'is the id of the thread that the run was created on', requested('thread_id'), unknownId),
    ),
    field(
      'assistant_id',
      present(),
      string(),
      uuid(),
      sameAs('executes', 'is the id of the assistant that the run executes', requested('assistant_id'), unknownId),
    ),
    field('created_at', present(), string(), iso8601(), offset()),
    field('updated_at', present(), string(), iso8601(), offset()),
    field('metadata', present(), object()),
    field('status', present(), string()),
    field('kwargs', present(), object()),
    field(
      'multitask_strategy',
      present(),
      string(),
      sameAs(
        'default',
        'is `reject` if the request had no `multitask_strategy`',
        (subject) => (strategy(subject) === undefined ? 'reject' : undefined),
        undefined,
        {
          broken: { change: (value) => (value === 'reject' ? 'enqueue' : value), alsoBreaks: 'given' },
          interpretation: 'A server with another default fails only this requirement.',
        },
      ),
      sameAs('given', 'is the strategy from the request', strategy, 'reject'),
    ),
  ],
}

const asCreated = {
  interpretation:
    'The thread, the assistant, the creation time, the strategy, the owner, and the ids in `configurable` are compared if both responses show them.',
}

export const runRequirements: readonly Requirement[] = [
  ...fieldRequirements(runTable),
  ...section('deployment', 'Resources and their fields / Run', [
    must('run.updated-not-before-created', '`updated_at` of a run is not earlier than its `created_at`.'),
    should(
      'run.times-current',
      '`created_at` and `updated_at` of a run are times between its creation and the response that shows them.',
      currentTimes,
    ),
    unspecified('run.fields.further', 'Which additional fields a run has.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API', [
    must('run.create.answers-run', 'POST /threads/{thread_id}/runs returns a run.'),
    must('run.get.answers-run', 'GET /threads/{thread_id}/runs/{run_id} returns a run.'),
    must('run.list.answers-array', 'GET /threads/{thread_id}/runs returns an array of runs.'),
    must('run.join.answers', 'GET /threads/{thread_id}/runs/{run_id}/join returns a response.'),
  ]),
  ...section(
    'deployment',
    'Endpoints / A. Deployment API',
    jsonEndpoints.map(({ name, endpoint }) =>
      must(`content-type.${name}`, `${endpoint} returns the content type \`application/json\`.`),
    ),
    { interpretation: 'Parameters such as a charset are allowed.' },
  ),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /threads/{thread_id}/runs', [
    must('run.create.status-pending', 'Run creation returns a run with `status` `pending`.'),
    must('run.create.fresh-id', 'Each created run has a new id.'),
    must('run.create.assistant-id.required', 'Run creation without `assistant_id` creates no run.', {
      interpretation:
        'The server must not return a run with a 2xx status or add one to the thread; the specification does not define the error.',
    }),
    must('run.create.assistant-id.unknown-id', 'Run creation with an id that no assistant has creates no run.', {
      interpretation:
        'A run executes the named assistant, so there is nothing to run; the specification does not define the error.',
    }),
    must('run.create.assistant-id.unknown-name', 'Run creation with a name that no graph has creates no run.', {
      interpretation:
        'A run executes the named assistant, so there is nothing to run; the specification does not define the error.',
    }),
    must('run.create.input.accepted', 'Run creation accepts an object as `input`.'),
    must('run.create.input.optional', 'Run creation accepts a request without `input`.', {
      interpretation: 'Only the response to the creation is tested, not how the run ends.',
    }),
    must('run.create.strategy.optional', 'Run creation accepts a request without `multitask_strategy`.'),
    must('run.create.strategy.reject', 'Run creation accepts the strategy `reject`.', {
      interpretation: 'Tested on an idle thread; the specification does not define the response on a busy thread.',
    }),
    must('run.create.strategy.enqueue', 'Run creation accepts the strategy `enqueue`.'),
    must('run.create.strategy.interrupt', 'Run creation accepts the strategy `interrupt`.'),
    unspecified('run.create.status-code', 'Which 2xx status run creation returns.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs', [
    must('run.list.empty', 'The list of runs of a thread without runs is an empty array.'),
    must('run.list.every-run', 'The list of runs of a thread contains every run of the thread.', {
      interpretation:
        'Tested with up to three runs, 1.5 s after each was created; page parameters are used only if the plain list stops short, because the specification does not define them.',
    }),
    must('run.list.once', 'The list of runs of a thread contains each run once.'),
    must('run.list.own-runs', 'The list of runs of a thread contains no run of another thread.'),
    must('run.list.current-status', 'The list of runs shows the current `status` of each run.', {
      interpretation: 'A list may show the end of a run a little later than the run itself: tested 1.5 s later.',
    }),
    must('run.list.as-created', 'The list of runs shows each run as it was created.', asCreated),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs/{run_id}', [
    must('run.get.named-run', 'GET /threads/{thread_id}/runs/{run_id} returns the run that the path names.'),
    must('run.get.current-status', 'GET /threads/{thread_id}/runs/{run_id} returns the current `status` of the run.'),
    must('run.get.as-created', 'GET /threads/{thread_id}/runs/{run_id} returns the run as it was created.', asCreated),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs/{run_id}/join', [
    must(
      'run.join.waits-from-creation',
      'A join that starts right after run creation waits until the run has finished.',
    ),
    must('run.join.waits', 'A join that starts while the run executes waits until the run has finished.'),
    must('run.join.queued', 'A join of a queued run waits until that run has finished, not only an earlier one.'),
    must('run.join.streamed', 'A join of a streamed run waits until the run has finished.'),
    must('run.join.many', 'All of many concurrent joins of a run return once it has finished.'),
    must('run.join.finished', 'A join of a run that has already finished returns.'),
  ]),
]
