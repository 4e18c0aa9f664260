import { fieldRequirements } from '../fields.ts'
import { may, must, type Requirement, section, unspecified } from '../requirement.ts'
import { aiTable, callingTable, humanTable, plainTable, toolCallTable, toolTable } from './message-fields.ts'

export const messageRequirements: readonly Requirement[] = section(
  'deployment',
  'Resources and their fields / Message',
  [
    must('message.input.user-accepted', 'An input message with the role `user` is accepted.'),
    must('message.input.human-accepted', 'An input message with the role `human` is accepted.'),
    must('message.input.user-runs', 'A run with an input message of the role `user` succeeds.'),
    must('message.input.stored', 'The input message of a run stands in `values.messages`.'),
    must(
      'message.input.user-stored-as-human',
      'An input message with the role `user` is stored with the type `human`.',
      {
        interpretation: 'Of the three types of stored messages it is the one of a caller.',
      },
    ),
    must('message.input.content-kept', 'A stored input message has the content that was given.', {
      interpretation: 'The text is compared: a string may be stored as one text block.',
    }),
    must('message.input.unicode-kept', 'Text beyond ASCII is stored as it was given.'),
    must('message.input.reaches-graph', 'The graph works on the content of the input message.'),
    may('message.input.content-blocks', 'The content of a message can be an array of content blocks.'),
    unspecified('message.input.several', 'How an input with several messages is stored.'),
    unspecified('message.input.other-roles', 'What becomes of an input message with another role.'),
    unspecified('message.input.id', 'Whether an id given with an input message is kept.'),
  ],
).concat(
  section('deployment', 'Resources and their fields / Message', [
    must('message.answer.stored', 'The messages that a graph produced stand in `values.messages`.'),
    must('message.answer.content-kept', 'A stored message has the content that the graph gave it.', {
      interpretation: 'The text is compared: a string may be stored as one text block.',
    }),
    must('message.order.input-first', 'The input message stands before the messages that answer it.', {
      interpretation: '`values.messages` holds the conversation in its order.',
    }),
    must('message.order.of-nodes', 'Messages stand in the order in which the nodes produced them.', {
      interpretation: '`values.messages` holds the conversation in its order.',
    }),
    must('message.order.of-runs', 'Messages of a later run stand after those of an earlier one.', {
      interpretation: '`values.messages` holds the conversation in its order.',
    }),
    must('message.id.distinct', 'The stored messages of a thread have ids of their own.'),
  ]),
  fieldRequirements(humanTable),
  fieldRequirements(aiTable),
  fieldRequirements(plainTable),
  fieldRequirements(callingTable),
  fieldRequirements(toolCallTable),
  section('deployment', 'Resources and their fields / Message', [
    must('message.tool.stored', 'The message of a tool stands in `values.messages`.'),
  ]),
  fieldRequirements(toolTable),
  section('deployment', 'Resources and their fields / Message', [
    unspecified('message.further', 'Which further fields stored messages carry.'),
    unspecified('message.content.blocks', 'What content blocks look like once stored.'),
    unspecified('message.tool_call.types', 'Of which types `name`, `args`, `id` and `type` of a tool call are.'),
    unspecified('message.invalid_tool_calls.elements', 'What `invalid_tool_calls` holds.'),
    unspecified('message.tool.artifact.value', 'What `artifact` of a tool message holds.'),
    unspecified('message.tool.status.value', 'Which values `status` of a tool message takes.'),
  ]),
)
