import { equals, iso8601, nullOr, object, offset, present, shown, string, uuid } from '../facts.ts'
import { type FieldTable, field, fieldRequirements } from '../fields.ts'
import { must, type Requirement, section, unspecified } from '../requirement.ts'

/** Table "Thread". */
export const threadTable: FieldTable = {
  prefix: 'thread.fields',
  area: 'deployment',
  section: 'Resources and their fields / Thread',
  subject: 'a new thread',
  needs: 'thread.create.accepts-empty-object',
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
        'is an empty object on creation',
        {},
        { kept: true },
        {
          profile: 'open',
          interpretation: 'Holds without custom authentication only: a handler may write into metadata.',
        },
      ),
    ),
    field('status', present(), string(), equals('default', 'is `idle` on a new thread', 'idle', 'busy')),
    field(
      'config',
      present(),
      object(),
      equals(
        'default',
        'is an empty object on creation',
        {},
        { recursion_limit: 1 },
        {
          profile: 'open',
          interpretation: 'Holds without custom authentication only.',
        },
      ),
    ),
    field(
      'values',
      shown({ interpretation: 'Absent is as good as null.' }),
      nullOr(object()),
      equals('default', 'is null on a new thread', null, { messages: [] }),
    ),
  ],
}

export const threadRequirements: readonly Requirement[] = [
  ...fieldRequirements(threadTable),
  ...section('deployment', 'Resources and their fields / Thread', [
    must('thread.updated-not-before-created', 'A new thread is not updated before it was created.'),
    unspecified('thread.status.other-values', 'Which values the status of a thread takes beside `idle`.'),
    unspecified('thread.fields.further', 'Which further fields a thread carries.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /threads', [
    must('thread.create.accepts-empty-object', 'POST /threads accepts an empty object and answers with a thread.'),
    must('thread.create.answers-json', 'POST /threads answers with a JSON body.'),
    must('thread.create.fresh-id', 'Every thread gets an id of its own.'),
    unspecified('thread.create.status-code', 'Which 2xx status POST /threads answers with.'),
  ]),
]
