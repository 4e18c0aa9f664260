import { equals, iso8601, nullOr, object, offset, present, shouldBePresent, string, uuid } from '../facts.ts'
import { type FieldTable, field, fieldRequirements } from '../fields.ts'
import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

/** Fields of a thread. */
export const threadTable: FieldTable = {
  prefix: 'thread.fields',
  area: 'deployment',
  section: 'Resources and their fields / Thread',
  subject: 'a new thread',
  places: [{ method: 'POST', path: '/threads', at: [] }],
  fields: [
    field('thread_id', present(), string(), uuid()),
    field('created_at', present(), string(), iso8601(), offset()),
    field('updated_at', present(), string(), iso8601(), offset()),
    field(
      'metadata',
      present(),
      object(),
      equals(
        'default',
        'is an empty object',
        {},
        { kept: true },
        {
          profile: 'open',
          interpretation: 'Applies only without custom authentication: a handler may write metadata.',
        },
      ),
    ),
    field('status', present(), string(), equals('default', 'is `idle`', 'idle', 'busy')),
    field(
      'config',
      present(),
      object(),
      equals(
        'default',
        'is an empty object',
        {},
        { recursion_limit: 1 },
        {
          profile: 'open',
          interpretation: 'Applies only without custom authentication.',
        },
      ),
    ),
    field(
      'values',
      shouldBePresent({ interpretation: 'The field may be absent instead of null.' }),
      nullOr(object()),
      equals('default', 'is null', null, { messages: [] }),
    ),
  ],
}

/** How current times are tested. */
export const currentTimes = {
  interpretation:
    'Tested by the headers `Date`: at most ten minutes of difference are allowed. Objects that were created more than a second apart must have different times. No sentence demands it: a mock server may have a clock of its own.',
}

export const threadRequirements: readonly Requirement[] = [
  ...fieldRequirements(threadTable),
  ...section('deployment', 'Resources and their fields / Thread', [
    must('thread.updated-not-before-created', '`updated_at` of a new thread is not earlier than its `created_at`.'),
    must('thread.kept', 'A thread whose state or list of runs was read can be read again.', {
      interpretation:
        'A thread holds a conversation. Only the statuses 404 and 410 fail, which say that it does not exist.',
    }),
    should('thread.times-current', '`created_at` and `updated_at` of a new thread are the current time.', currentTimes),
    unspecified('thread.status.other-values', 'Which values the `status` of a thread takes.'),
    unspecified('thread.fields.further', 'Which additional fields a thread has.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /threads', [
    must('thread.create.accepts-empty-object', 'POST /threads accepts an empty object and returns a thread.'),
    must('thread.create.answers-json', 'POST /threads returns a JSON body.'),
    must('thread.create.fresh-id', 'Each created thread has a new id.'),
    unspecified('thread.create.status-code', 'Which 2xx status POST /threads returns.'),
  ]),
]
