import { holds, iso8601, object, offset, present, sameAs, string, uuid } from '../facts.ts'
import { type FieldTable, field, fieldRequirements } from '../fields.ts'
import { must, type Requirement, section, unspecified } from '../requirement.ts'
import { given, isGiven, runPlaces, unknownId } from './given.ts'

/** Endpoints whose answers are JSON, with the row that says that they answer at all. */
export const jsonEndpoints = [
  { name: 'thread-create', endpoint: 'POST /threads', answers: 'thread.create.accepts-empty-object' },
  { name: 'run-create', endpoint: 'POST /threads/{thread_id}/runs', answers: 'run.create.answers-run' },
  { name: 'run-get', endpoint: 'GET /threads/{thread_id}/runs/{run_id}', answers: 'run.get.answers-run' },
  { name: 'run-list', endpoint: 'GET /threads/{thread_id}/runs', answers: 'run.list.answers-array' },
  { name: 'state-get', endpoint: 'GET /threads/{thread_id}/state', answers: 'state.get.answers-state' },
  { name: 'assistant-create', endpoint: 'POST /assistants', answers: 'assistant.create.answers-assistant' },
  { name: 'assistant-search', endpoint: 'POST /assistants/search', answers: 'assistant.search.answers-array' },
  { name: 'assistant-get', endpoint: 'GET /assistants/{assistant_id}', answers: 'assistant.get.answers-assistant' },
] as const

const strategy = given('multitask_strategy')

/** Table "Run". */
export const runTable: FieldTable = {
  prefix: 'run.fields',
  area: 'deployment',
  section: 'Resources and their fields / Run',
  subject: 'a run',
  needs: 'run.create.answers-run',
  places: runPlaces(),
  fields: [
    field('run_id', present(), string(), uuid()),
    field(
      'thread_id',
      present(),
      string(),
      uuid(),
      holds('own', 'names the thread that the run was created on', isGiven('thread_id'), unknownId),
    ),
    field(
      'assistant_id',
      present(),
      string(),
      uuid(),
      sameAs('executes', 'names the assistant that executes the run', given('assistant_id'), unknownId),
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
      holds(
        'default',
        'is `reject` on a run created without the field',
        (value, subject) => strategy(subject) !== undefined || value === 'reject',
        undefined,
        {
          broken: { change: (value) => (value === 'reject' ? 'enqueue' : value) },
          interpretation: 'A statement of its own about the record: nothing else relies on the default.',
        },
      ),
      holds(
        'given',
        'is the strategy that the run was created with',
        (value, subject) => strategy(subject) === undefined || value === strategy(subject),
        'reject',
      ),
    ),
  ],
}

export const runRequirements: readonly Requirement[] = [
  ...fieldRequirements(runTable),
  ...section('deployment', 'Resources and their fields / Run', [
    must('run.updated-not-before-created', 'A run is not updated before it was created.'),
    unspecified('run.fields.further', 'Which further fields a run carries.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API', [
    must('run.create.answers-run', 'POST /threads/{thread_id}/runs answers with a run.'),
    must('run.get.answers-run', 'GET /threads/{thread_id}/runs/{run_id} answers with a run.'),
    must('run.list.answers-array', 'GET /threads/{thread_id}/runs answers with an array of runs.'),
    must('run.join.answers', 'GET /threads/{thread_id}/runs/{run_id}/join is answered.'),
  ]),
  ...section(
    'deployment',
    'Endpoints / A. Deployment API',
    jsonEndpoints.map(({ name, endpoint }) =>
      must(`content-type.${name}`, `The answer of ${endpoint} is declared as JSON.`),
    ),
    { interpretation: 'Bodies are JSON: Content-Type is application/json, with any parameters.' },
  ),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /threads/{thread_id}/runs', [
    must('run.create.status-pending', 'Run creation answers with a run whose status is `pending`.'),
    must('run.create.fresh-id', 'Every run gets an id of its own.'),
    must('run.create.assistant-id.required', 'Without `assistant_id` no run is created.', {
      interpretation:
        'What is judged is a run record with a 2xx status, or a run on the thread; the form of the refusal is open.',
    }),
    must('run.create.assistant-id.unknown-id', 'For the id of no assistant no run is created.', {
      interpretation:
        'A run executes the assistant that is named: without one there is none. The form of the refusal is open.',
    }),
    must('run.create.assistant-id.unknown-name', 'For the name of no graph no run is created.', {
      interpretation:
        'A run executes the assistant that is named: without one there is none. The form of the refusal is open.',
    }),
    must('run.create.input.accepted', 'Run creation accepts an object as `input`.'),
    must('run.create.input.optional', 'Run creation accepts a request without `input`.', {
      interpretation: 'Acceptance is judged, not how a graph without input fares.',
    }),
    must('run.create.strategy.optional', 'Run creation accepts a request without `multitask_strategy`.'),
    must('run.create.strategy.reject', 'Run creation accepts the strategy `reject`.', {
      interpretation: 'On an idle thread: what a busy one does is open.',
    }),
    must('run.create.strategy.enqueue', 'Run creation accepts the strategy `enqueue`.'),
    must('run.create.strategy.interrupt', 'Run creation accepts the strategy `interrupt`.'),
    unspecified('run.create.status-code', 'Which 2xx status run creation answers with.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs', [
    must('run.list.empty', 'The list of runs of a thread with no runs is an empty array.'),
    must('run.list.every-run', 'The list of runs of a thread holds every run of the thread.', {
      interpretation: 'The default page size is open: three runs are looked for, with a limit that holds them.',
    }),
    must('run.list.once', 'The list of runs of a thread holds a run once.'),
    must('run.list.own-runs', 'The list of runs of a thread holds no run of another thread.'),
    must('run.list.current-status', 'The list of runs shows the status that the run has.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs/{run_id}', [
    must('run.get.named-run', 'The run that is answered is the one that the path names.'),
    must('run.get.current-status', 'The run that is answered shows the status that it has by then.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs/{run_id}/join', [
    must(
      'run.join.waits-from-creation',
      'A join that is called right after creation waits until the run has finished.',
    ),
    must('run.join.waits', 'A join that is called while the run executes waits until the run has finished.'),
    must('run.join.queued', 'A join of a queued run waits until that run has finished, not an earlier one.'),
    must('run.join.many', 'All of many joins of one run are answered once it has finished.'),
    must('run.join.finished', 'A join of a run that has finished already is answered.'),
  ]),
]
