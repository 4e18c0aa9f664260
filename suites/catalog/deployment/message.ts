import { fieldRequirements } from '../fields.ts'
import { may, must, type Requirement, section, unspecified } from '../requirement.ts'
import { aiTable, callingTable, humanTable, plainTable, toolCallTable, toolTable } from './message-fields.ts'

const texts = { interpretation: 'Texts are compared: the server may store a string as one text block.' }
const inOrder = { interpretation: '`values.messages` lists the conversation in order.' }

export const messageRequirements: readonly Requirement[] = section(
  'deployment',
  'Resources and their fields / Message',
  [
    must('message.input.user-accepted', 'Run creation accepts an input message with the role `user`.'),
    must('message.input.human-accepted', 'Run creation accepts an input message with the role `human`.'),
    must('message.input.user-runs', 'A run with an input message with the role `user` ends with `success`.'),
    must('message.input.stored', '`values.messages` contains the input message of a run.'),
    must(
      'message.input.user-stored-as-human',
      'An input message with the role `user` is stored with the type `human`.',
      {
        interpretation: 'Of the three types of stored messages, `human` is the one for callers.',
      },
    ),
    must('message.input.content-kept', 'A stored input message has the content from the request.', texts),
    must('message.input.unicode-kept', 'The server stores non-ASCII text unchanged.'),
    must('message.input.reaches-graph', 'The graph receives the content of the input message.'),
    must(
      'message.input.several-stored',
      '`values.messages` contains all messages of an input with several messages, in their order.',
      { interpretation: 'A server may refuse such an input.' },
    ),
    may('message.input.content-blocks', 'The content of a message can be an array of content blocks.'),
    unspecified('message.input.other-roles', 'What the server does with an input message with another role.'),
    unspecified('message.input.id', 'Whether the server keeps the id of an input message.'),
  ],
).concat(
  section('deployment', 'Resources and their fields / Message', [
    must('message.answer.stored', '`values.messages` contains the messages that a graph produced.'),
    must('message.answer.content-kept', 'A stored message has the content that the graph produced.', texts),
    must(
      'message.no-others',
      '`values.messages` contains each input message and each message of a graph once, and no others.',
      {
        interpretation: 'Messages are counted. Tested with the test graphs, whose number of messages is known.',
      },
    ),
    must('message.order.input-first', 'The input message comes before the messages that respond to it.', inOrder),
    must('message.order.of-nodes', 'Messages are stored in the order in which the nodes produced them.', inOrder),
    must('message.order.of-runs', 'Messages of a later run come after those of an earlier run.', inOrder),
    must('message.id.distinct', 'The stored messages of a thread have different ids.'),
    must('message.kept', 'A stored message is the same in later states of its thread.', {
      interpretation:
        'Messages with the same id are compared: content, type, name and tool calls. Tested with the test graphs, which change no messages.',
    }),
  ]),
  fieldRequirements(humanTable),
  fieldRequirements(aiTable),
  fieldRequirements(plainTable),
  fieldRequirements(callingTable),
  fieldRequirements(toolCallTable),
  section('deployment', 'Resources and their fields / Message', [
    must('message.tool_call.as-called', 'A stored tool call has the name and the arguments that the graph produced.', {
      interpretation:
        'Tested with the test graph `tools`, which passes the input to a tool. The form of the arguments is left open.',
    }),
    must(
      'message.ai.usage_metadata.as-given',
      'The numbers in `usage_metadata` of a stored message are those that the graph produced.',
      { interpretation: 'Null is accepted. Tested with the test graph `tools`, whose numbers are known.' },
    ),
    must('message.tool.stored', '`values.messages` contains the tool message.'),
  ]),
  fieldRequirements(toolTable),
  section('deployment', 'Resources and their fields / Message', [
    unspecified('message.further', 'Which additional fields stored messages have.'),
    unspecified('message.content.blocks', 'What stored content blocks look like.'),
    unspecified('message.tool_call.types', 'Which types `name`, `args`, `id` and `type` of a tool call have.'),
    unspecified('message.invalid_tool_calls.elements', 'What `invalid_tool_calls` contains.'),
    unspecified('message.tool.artifact.value', 'What `artifact` of a tool message contains.'),
    unspecified('message.tool.status.value', 'Which values `status` of a tool message takes.'),
  ]),
)
