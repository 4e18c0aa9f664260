import { fieldRequirements } from '../fields.ts'
import { must, type Requirement, section, should, unspecified } from '../requirement.ts'
import { metadataEventTable, updatedAiTable, updatedCallTable, updatedToolTable } from './stream-fields.ts'

const endpoint = 'Endpoints / A. Deployment API / POST /threads/{thread_id}/runs/stream'

const requestRequirements = section('deployment', endpoint, [
  must('stream.create.answers-stream', 'POST /threads/{thread_id}/runs/stream answers with an event stream.'),
  must('stream.request.assistant_id-required', 'A stream without `assistant_id` creates no run.', {
    interpretation: 'A required field: no run is recorded. How it is refused is open.',
  }),
  must('stream.request.assistant_id-known', 'A stream with an `assistant_id` that names nothing creates no run.', {
    interpretation: 'A run executes the named assistant. How it is refused is open.',
  }),
  must('stream.request.input', 'The input of a streamed run reaches the graph.'),
  must('stream.request.stream_mode-optional', 'A stream is accepted without `stream_mode`.'),
  must('stream.request.stream_mode-array', 'A stream is accepted with several modes in `stream_mode`.', {
    interpretation: 'The field is an array: the modes are `updates` and `values`, the two that the document names.',
  }),
  unspecified('stream.request.mode-unknown', 'What a stream with an unknown mode answers.'),
  unspecified('stream.request.mode-string', 'What a stream answers whose `stream_mode` is a string.'),
  unspecified('stream.request.no-input', 'What a stream without `input` answers.'),
  unspecified('stream.request.busy-thread', 'What a stream with `reject` on a busy thread answers.'),
  unspecified('stream.request.unknown-thread', 'What a stream on a thread that does not exist answers.'),
])

const runRequirements = section('deployment', endpoint, [
  must('stream.run.recorded', "A streamed run is recorded: its thread's list of runs holds it.", {
    interpretation: 'What is streamed is a run like any other, with a `run_id`.',
  }),
  must('stream.run.one', 'A stream creates exactly one run.'),
  must('stream.run.success', 'A streamed run whose graph completes normally ends with `success`.'),
  must('stream.run.results-in-state', 'The results of a streamed run stand in the state of its thread.'),
  must('stream.run.kwargs-stream_mode', '`kwargs.stream_mode` of a streamed run holds the modes that were given.'),
])

const framingRequirements = section('deployment', endpoint, [
  must('stream.content-type', 'An event stream has the content type `text/event-stream`.', {
    interpretation: 'Server-sent events are of this type by definition; parameters such as a charset are allowed.',
  }),
  must('stream.framing.event-line', 'Each event has an `event:` line that names it.', {
    interpretation: 'Comments and blocks without data are no events.',
  }),
  must('stream.framing.data-line', 'Each event has a `data:` line.'),
  must('stream.framing.data-json', 'The `data:` line of each event holds JSON.'),
  must('stream.framing.complete', 'The last event of a stream is closed by an empty line.', {
    interpretation: 'A reader of server-sent events throws away an event that is not.',
  }),
  must('stream.framing.text', 'Text beyond ASCII and line breaks come through a stream as the graph made them.', {
    interpretation: 'Server-sent events are UTF-8 by definition.',
  }),
  must('stream.end.reached', 'The stream of a run ends once the run has finished.', {
    interpretation: 'Extra events before the end are allowed, a closing one too.',
  }),
  must('stream.end.clean', 'A stream ends cleanly: the connection does not break off.'),
  unspecified('stream.framing.line-ending', 'Which line ending a stream has.'),
  unspecified('stream.framing.ids', 'Which `id:` lines a stream has.'),
  unspecified('stream.framing.comments', 'Which comments a stream has while nothing happens.'),
  unspecified('stream.framing.headers', 'Which headers a stream has.'),
  unspecified('stream.end.event', 'Which event closes a stream.'),
])

const metadataRequirements = [
  ...section('deployment', 'Events', [
    must('stream.metadata.sent', 'A stream has an event `metadata`.'),
    must('stream.metadata.first', 'The event `metadata` is the first of a stream.', {
      interpretation: 'Comments may come before it.',
    }),
    must('stream.metadata.once', 'The event `metadata` comes once.'),
    must('stream.metadata.data-object', 'The data of the event `metadata` is an object.'),
  ]),
  ...fieldRequirements(metadataEventTable),
  ...section('deployment', 'Events', [
    must('stream.metadata.run_id.of-run', '`run_id` in the event `metadata` is the id of the run that is streamed.', {
      interpretation: "The id under which the thread's list of runs holds it.",
    }),
    must('stream.metadata.run_id.gettable', 'The run of a stream can be read under the `run_id` of its `metadata`.'),
    must('stream.metadata.run_id.fresh', 'Each stream has a `run_id` of its own.'),
    unspecified('stream.metadata.further', 'What else the event `metadata` holds.'),
  ]),
]

const updatesRequirements = [
  ...section('deployment', 'Events', [
    must('stream.updates.sent', 'A stream whose `stream_mode` includes `updates` has `updates` events.'),
    must('stream.updates.data-object', 'The data of each `updates` event is an object.'),
    must('stream.updates.node-names', 'An `updates` event is keyed by names of nodes.', {
      interpretation: 'Keys that begin with two underscores name no node of the graph and are passed over.',
    }),
    must('stream.updates.each-node', 'Each node that finished has an `updates` event: none is missing.', {
      interpretation: 'Also a node that changed nothing.',
    }),
    must('stream.updates.once-a-node', 'A node that finished once has one `updates` event.'),
    must('stream.updates.in-order', '`updates` events come in the order in which the nodes finished.'),
    must('stream.updates.value-object', 'The value of a node in an `updates` event is an object.', {
      interpretation: 'Null is allowed for a node that changed nothing.',
    }),
    must('stream.updates.messages-present', 'The value of a node that produced messages holds `messages`.'),
    must('stream.updates.messages-array', '`messages` of a node in an `updates` event is an array.'),
    must('stream.updates.messages-objects', '`messages` of a node in an `updates` event holds message objects.'),
    must('stream.updates.messages-of-node', 'An `updates` event holds the messages that its node produced.'),
    must('stream.updates.messages-only-of-node', 'An `updates` event holds no message that its node did not produce.'),
    must('stream.updates.second-run', 'The `updates` events of a later run hold the messages of that run.'),
    must('stream.updates.among-modes', '`updates` events come also when `stream_mode` holds further modes.'),
    must('stream.updates.as-stored', 'The messages of `updates` events stand in the state with the same content.'),
    must('stream.updates.side-by-side', 'Streams on two threads at once hold each the messages of its own run.'),
    must('stream.updates.before-failure', 'A node that finished before another failed has its `updates` event.'),
    must('stream.updates.none-for-failed', 'A node that failed has no `updates` event.', {
      interpretation: 'The event comes after a node has finished.',
    }),
    should('stream.updates.progressive', 'The first `updates` event arrives before the last node has run.', {
      interpretation:
        'The event comes after a node finishes; how soon is not told, so that it is not held back is advised.',
    }),
    unspecified('stream.updates.unchanged-node', 'What the `updates` event of a node holds that changed nothing.'),
  ]),
  ...fieldRequirements(updatedAiTable),
  ...fieldRequirements(updatedCallTable),
  ...fieldRequirements(updatedToolTable),
]

const modeRequirements = section('deployment', 'Events', [
  must('stream.mode.default-values', '`stream_mode` of a streamed run that was created without it is `values`.', {
    interpretation: "Told by `kwargs.stream_mode` of the run's record.",
  }),
  unspecified('stream.mode.default-events', 'Which events a stream without `stream_mode` has.'),
  unspecified('stream.mode.values', 'Which events the mode `values` brings.'),
  unspecified('stream.mode.messages', 'Which events the mode `messages` brings.'),
  unspecified('stream.mode.messages-tuple', 'Which events the mode `messages-tuple` brings.'),
  unspecified('stream.mode.custom', 'Which events the mode `custom` brings.'),
  unspecified('stream.mode.events', 'Which events the mode `events` brings.'),
  unspecified('stream.mode.debug', 'Which events the mode `debug` brings.'),
  unspecified('stream.mode.tasks', 'Which events the mode `tasks` brings.'),
  unspecified('stream.mode.checkpoints', 'Which events the mode `checkpoints` brings.'),
  unspecified('stream.mode.several', 'In which order events of several modes come.'),
  unspecified('stream.failure.events', 'Which events the stream of a run has that fails.'),
  unspecified('stream.interrupted.events', 'How the stream of a run ends that is interrupted by another.'),
  unspecified('stream.disconnect', 'What becomes of a run whose stream is left.'),
  unspecified(
    'stream.join.running',
    'What GET /threads/{thread_id}/runs/{run_id}/stream brings while the run executes.',
  ),
  unspecified(
    'stream.join.ended',
    'What GET /threads/{thread_id}/runs/{run_id}/stream brings after the run has ended.',
  ),
  unspecified('stream.join.last-event-id', 'What the header `Last-Event-ID` does.'),
])

export const streamRequirements: readonly Requirement[] = [
  ...requestRequirements,
  ...runRequirements,
  ...framingRequirements,
  ...metadataRequirements,
  ...updatesRequirements,
  ...modeRequirements,
]
