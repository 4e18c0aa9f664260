import { fieldRequirements } from '../fields.ts'
import { each, must, type Requirement, section, should, unspecified } from '../requirement.ts'
import {
  metadataEventTable,
  updatedAiTable,
  updatedCallTable,
  updatedPlainTable,
  updatedToolTable,
} from './stream-fields.ts'

/** Modes of public servers that the specification does not describe. */
export const otherModes = [
  'values',
  'messages',
  'messages-tuple',
  'custom',
  'events',
  'debug',
  'tasks',
  'checkpoints',
] as const

const endpoint = 'Endpoints / A. Deployment API / POST /threads/{thread_id}/runs/stream'

const requestRequirements = section('deployment', endpoint, [
  must('stream.create.answers-stream', 'POST /threads/{thread_id}/runs/stream returns an event stream.'),
  must('stream.request.assistant_id-required', 'A stream request without `assistant_id` creates no run.', {
    interpretation: 'The thread must have no new run; the specification does not define the error.',
  }),
  must('stream.request.assistant_id-known', 'A stream request with an unknown `assistant_id` creates no run.', {
    interpretation:
      'A run executes the named assistant, so there is nothing to run; the specification does not define the error.',
  }),
  must('stream.request.input', 'The graph receives the `input` of a stream request.'),
  must('stream.request.stream_mode-optional', 'The server accepts a stream request without `stream_mode`.'),
  must('stream.request.stream_mode-array', 'The server accepts a stream request with several modes in `stream_mode`.', {
    interpretation: 'Tested with `updates` and `values`, the two modes that the specification names.',
  }),
  ...each(unspecified, {
    'stream.request.mode-unknown': 'What the server returns for a stream request with an unknown mode.',
    'stream.request.mode-string': 'What the server returns for a stream request whose `stream_mode` is a string.',
    'stream.request.no-input': 'What the server returns for a stream request without `input`.',
    'stream.request.busy-thread':
      'What the server returns for a stream request with `multitask_strategy: reject` on a busy thread.',
    'stream.request.unknown-thread': 'What the server returns for a stream request on a thread that does not exist.',
  }),
])

const runRequirements = section('deployment', endpoint, [
  must('stream.run.recorded', "A streamed run appears in its thread's list of runs.", {
    interpretation:
      'A streamed run is a run like any other and has a `run_id`. A list may show it a little later: tested 1.5 s after an update or the end of the stream.',
  }),
  must('stream.run.one', 'A stream request creates exactly one run.'),
  must('stream.run.success', 'A streamed run whose graph completes normally ends with `success`.'),
  must('stream.run.results-in-state', 'The thread state contains the results of a streamed run.'),
  must('stream.run.kwargs-stream_mode', '`kwargs.stream_mode` of a streamed run contains the modes from the request.'),
])

const framingRequirements = section('deployment', endpoint, [
  must('stream.content-type', 'An event stream has the content type `text/event-stream`.', {
    interpretation: 'This is the content type of server-sent events; parameters such as a charset are allowed.',
  }),
  must('stream.framing.event-line', 'Each event has an `event:` line with its name.', {
    interpretation: 'Comments and blocks without data are not events.',
  }),
  must('stream.framing.data-line', 'Each event has a `data:` line.', {
    interpretation: 'Clients discard a block without data, so one whose name is not documented is not an event.',
  }),
  must('stream.framing.data-json', 'The `data:` line of each event contains JSON.'),
  must('stream.framing.complete', 'An empty line follows the last event of a stream.', {
    interpretation: 'Clients of server-sent events discard an event without it.',
  }),
  must('stream.framing.text', 'A stream carries non-ASCII text and line breaks unchanged.', {
    interpretation: 'Server-sent events are encoded in UTF-8.',
  }),
  must('stream.end.reached', 'The stream of a run ends once the run has finished.', {
    interpretation: 'Additional events are allowed before the end.',
  }),
  must('stream.end.clean', 'A stream is complete: it does not end with a broken connection.', {
    interpretation: 'A chunked body of HTTP/1.1 is complete once its last chunk, of size 0, has arrived.',
  }),
  unspecified('stream.framing.line-ending', 'Which line endings a stream uses.'),
  unspecified('stream.framing.ids', 'Which `id:` lines a stream has.'),
  unspecified('stream.framing.comments', 'Which comments a stream sends while it is idle.'),
  unspecified('stream.framing.headers', 'Which headers a stream has.'),
  unspecified('stream.end.event', 'Which event ends a stream.'),
])

const metadataRequirements = [
  ...section('deployment', 'Events', [
    must('stream.metadata.sent', 'A stream has a `metadata` event.'),
    must('stream.metadata.first', 'The `metadata` event is the first event of a stream.', {
      interpretation: 'Comments may precede it.',
    }),
    must('stream.metadata.once', 'A stream has exactly one `metadata` event.'),
    must('stream.metadata.data-object', 'The data of the `metadata` event is an object.'),
  ]),
  ...fieldRequirements(metadataEventTable),
  ...section('deployment', 'Events', [
    must('stream.metadata.run_id.of-run', '`run_id` in the `metadata` event is the id of the streamed run.', {
      interpretation: "This is the id in the thread's list of runs.",
    }),
    must('stream.metadata.run_id.gettable', 'The streamed run can be read with the `run_id` of its `metadata` event.'),
    must('stream.metadata.run_id.fresh', 'Each stream has a new `run_id`.'),
    unspecified('stream.metadata.further', 'What else the data of the `metadata` event contains.'),
  ]),
]

const updatesRequirements = [
  ...section('deployment', 'Events', [
    must('stream.updates.sent', 'A stream whose `stream_mode` includes `updates` has `updates` events.'),
    must('stream.updates.data-object', 'The data of each `updates` event is an object.'),
    must('stream.updates.node-names', 'The keys of an `updates` event are node names.', {
      interpretation: 'Keys that begin with two underscores are ignored.',
    }),
    must('stream.updates.each-node', 'Each node that finished has an `updates` event.', {
      interpretation: 'This includes nodes that changed nothing.',
    }),
    must('stream.updates.once-a-node', 'A node that finished once has one `updates` event.'),
    must('stream.updates.in-order', '`updates` events arrive in the order in which the nodes finished.'),
    must('stream.updates.value-object', 'The value of a node in an `updates` event is an object.', {
      interpretation: 'Null is allowed for a node that changed nothing.',
    }),
    must('stream.updates.messages-present', 'The value of a node that produced messages contains `messages`.'),
    must('stream.updates.messages-array', '`messages` of a node in an `updates` event is an array.'),
    must('stream.updates.messages-objects', '`messages` of a node in an `updates` event contains message objects.'),
    must('stream.updates.messages-of-node', 'An `updates` event contains the messages that its node produced.'),
    must(
      'stream.updates.messages-only-of-node',
      'An `updates` event contains no message that its node did not produce.',
      { interpretation: 'This includes a second copy of a message.' },
    ),
    ...each(must, {
      'stream.updates.second-run': 'The `updates` events of a later run contain the messages of that run.',
      'stream.updates.only-if-asked': 'A stream whose `stream_mode` does not include `updates` has no `updates` event.',
      'stream.updates.among-modes': 'A stream has `updates` events even if `stream_mode` contains other modes.',
      'stream.updates.as-stored': 'The thread state contains the messages of `updates` events with the same content.',
    }),
    must(
      'stream.updates.parts-as-stored',
      'The thread state contains the messages of `updates` events with the same type, name, tool calls, artifact and usage.',
      { interpretation: 'Messages with the same id are compared.' },
    ),
    should('stream.updates.id-as-stored', 'A message in an `updates` event has the id of the stored message.', {
      interpretation: 'The specification lists the id for stored messages, so this is a SHOULD.',
    }),
    must(
      'stream.updates.side-by-side',
      'When two threads stream concurrently, each stream contains the messages of its own run.',
    ),
    should('stream.updates.before-failure', 'A node that finished before another node failed has an `updates` event.', {
      interpretation:
        'The specification does not say what the stream of a failing graph contains, so this is a SHOULD.',
    }),
    must('stream.updates.none-for-failed', 'A node that failed has no `updates` event.', {
      interpretation: 'The server sends the event after a node has finished.',
    }),
    should('stream.updates.progressive', 'The first `updates` event arrives before the last node runs.', {
      interpretation:
        'The specification says that the event follows the end of a node, but not how soon, so this is a SHOULD.',
    }),
    unspecified('stream.updates.unchanged-node', 'What the `updates` event of a node that changed nothing contains.'),
  ]),
  ...fieldRequirements(updatedAiTable),
  ...fieldRequirements(updatedCallTable),
  ...fieldRequirements(updatedPlainTable),
  ...fieldRequirements(updatedToolTable),
]

const modeRequirements = section('deployment', 'Events', [
  must('stream.mode.default-values', 'The `stream_mode` of a streamed run is `values` if the request had none.', {
    interpretation: 'Tested by `kwargs.stream_mode` of the run.',
  }),
  unspecified('stream.mode.default-events', 'Which events a stream without `stream_mode` has.'),
  ...otherModes.map((mode) => unspecified(`stream.mode.${mode}`, `Which events the mode \`${mode}\` adds.`)),
  ...each(unspecified, {
    'stream.mode.several': 'The order in which events of several modes arrive.',
    'stream.failure.events': 'Which events the stream of a failed run has.',
    'stream.interrupted.events': 'How the stream of an interrupted run ends.',
    'stream.disconnect': 'What happens to a run when the client closes its stream.',
    'stream.join.running': 'What GET /threads/{thread_id}/runs/{run_id}/stream returns while the run executes.',
    'stream.join.ended': 'What GET /threads/{thread_id}/runs/{run_id}/stream returns after the run has ended.',
    'stream.join.last-event-id': 'What the header `Last-Event-ID` does.',
  }),
])

export const streamRequirements: readonly Requirement[] = [
  ...requestRequirements,
  ...runRequirements,
  ...framingRequirements,
  ...metadataRequirements,
  ...updatesRequirements,
  ...modeRequirements,
]
