import {
  array,
  equals,
  integer,
  isObject,
  iso8601,
  matches,
  object,
  present,
  sameAs,
  shouldBePresent,
  string,
  uuid,
} from '../facts.ts'
import { type Fact, type FieldTable, field, fieldRequirements, type ResponsePlace } from '../fields.ts'
import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

const stateAt = (...at: readonly string[]): ResponsePlace => ({ method: 'GET', path: '/threads/{thread_id}/state', at })
const common = { area: 'deployment', section: 'Resources and their fields / Thread state' } as const
const aUuid = '00000000-0000-4000-8000-000000000000'

/** The run that wrote a state; facts compare the state with it. */
export interface StateRoot {
  readonly run_id: string
  readonly thread_id: string
  /** Undefined if the graph is not known. */
  readonly graph_id: string | undefined
  /** From the run; undefined if runs of the server name the wrong assistant. */
  readonly assistant_id: unknown
}

/** Fields of a thread state after at least two steps. */
export const stateTable: FieldTable = {
  ...common,
  prefix: 'state.fields',
  subject: 'the state of a thread',
  places: [stateAt()],
  fields: [
    field('values', present(), object()),
    field(
      'next',
      present(),
      array(),
      equals('empty', 'is empty if no node is pending', [], ['first'], {
        interpretation: 'Tested after the run has succeeded, when no node is pending.',
      }),
    ),
    field(
      'tasks',
      present(),
      array(),
      equals('empty', 'is empty if nothing is pending', [], [{ id: aUuid, name: 'first' }], {
        interpretation: 'Tested after the run has succeeded, when nothing is pending.',
      }),
    ),
    field('metadata', present(), object()),
    field('created_at', present(), string(), iso8601()),
    field('checkpoint_id', present(), string()),
    field(
      'parent_checkpoint_id',
      present({ interpretation: 'Tested after the second step or run.' }),
      string({ interpretation: 'Tested after the second step or run: the first checkpoint has no parent.' }),
    ),
  ],
}

/** Fields of `values` of a thread state. */
export const stateValuesTable: FieldTable = {
  ...common,
  prefix: 'state.values',
  subject: 'the values of a state',
  places: [stateAt('values')],
  fields: [
    field(
      'messages',
      present(),
      array(),
      matches('objects', 'contains message objects', (value) => !Array.isArray(value) || value.every(isObject), [
        'text',
      ]),
    ),
  ],
}

/** Fields of `metadata` of a thread state. */
export const stateMetadataTable: FieldTable = {
  ...common,
  prefix: 'state.metadata',
  subject: 'the metadata of a state',
  places: [stateAt('metadata')],
  fields: [
    field('step', present(), integer()),
    field('run_id', present(), theSame('run_id', 'is the id of the run that wrote the state')),
    field('source', present()),
    field('writes', present(), object()),
    field(
      'user_id',
      shouldBePresent({
        profile: 'open',
        interpretation: 'Without custom authentication its value is null or empty, so a server may omit it.',
      }),
      present({ key: 'present-with-auth', statement: 'is present with custom authentication', profile: 'custom-auth' }),
    ),
    field(
      'graph_id',
      present(),
      theSame('graph_id', 'is the name of the graph that the run executed', 'another-graph'),
    ),
    field('thread_id', present(), theSame('thread_id', 'is the id of the thread')),
    field('created_by', present({ interpretation: 'Tested on a run of the default assistant.' })),
    field('assistant_id', present(), theSame('assistant_id', 'is the id of the assistant that the run executed')),
  ],
}

function theSame(key: keyof StateRoot, statement: string, broken: string = aUuid): Fact {
  return sameAs(
    'same',
    statement,
    ({ root }) => {
      const wanted = isObject(root) ? root[key] : undefined
      // Other requirements test the run itself; without its value there is nothing to compare.
      return typeof wanted === 'string' && comparable(key, wanted) ? wanted : undefined
    },
    broken,
  )
}

function comparable(key: keyof StateRoot, value: unknown): boolean {
  return key === 'graph_id' || uuid().problem(value, { label: key, value }) === undefined
}

export const stateRequirements: readonly Requirement[] = [
  ...fieldRequirements(stateTable),
  ...fieldRequirements(stateValuesTable),
  ...fieldRequirements(stateMetadataTable),
  ...section('deployment', 'Resources and their fields / Thread state', [
    must('state.parent-checkpoint-id.other', '`parent_checkpoint_id` is not equal to `checkpoint_id`.'),
    must('state.parent-checkpoint-id.own-thread', '`parent_checkpoint_id` is no checkpoint of another thread.', {
      interpretation:
        'The parent is the checkpoint before, on the same thread. Ids that are not UUIDs pass: they may be unique only in a thread.',
    }),
    must(
      'state.checkpoint-id.changes',
      'When a run has changed the state of a thread, `checkpoint_id` has changed, too.',
      {
        interpretation:
          'A `checkpoint_id` identifies one checkpoint, and `parent_checkpoint_id` the one before it. Tested where the messages differ from those of an earlier state.',
      },
    ),
    should(
      'state.time-current',
      '`created_at` of a state is a time between the creation of the thread and the response that shows it.',
      {
        interpretation:
          'Tested only if it has an offset, by the headers `Date`: at most ten minutes of difference are allowed.',
      },
    ),
    must('state.idle.messages', 'The messages of a thread stay the same until another run is created.', {
      interpretation: 'Tested after a run has succeeded: only a run changes the state.',
    }),
    must('state.idle.checkpoint', 'The checkpoint of a thread stays the same until another run is created.', {
      interpretation:
        'A server may write further checkpoints just after a run, so this is tested 1.5 s after its end. The ids, the time, `next`, the number of tasks and the documented metadata are compared.',
    }),
    must('state.metadata.writes.node-names', 'The keys of `writes` in the metadata of a state are node names.', {
      interpretation: 'Keys that begin with two underscores are ignored; without other keys, nothing is tested.',
    }),
    unspecified('state.metadata.source.values', 'Which values `source` in the metadata of a state takes.'),
    unspecified('state.metadata.created_by.value', 'Which value `created_by` in the metadata of a state has.'),
    unspecified('state.metadata.user_id.value', 'Which value `user_id` in the metadata of a state has.'),
    unspecified('state.metadata.further', 'Which additional keys the metadata of a state has.'),
    unspecified('state.fields.further', 'Which additional fields a state has.'),
    unspecified('state.next.elements', 'What the elements of `next` look like.'),
    unspecified('state.tasks.elements', 'What the elements of `tasks` look like.'),
    unspecified('state.never-run', 'What the state of a thread without runs is.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/state', [
    must('state.get.answers-state', 'GET /threads/{thread_id}/state returns a thread state.'),
    must(
      'state.get.that-thread',
      'GET /threads/{thread_id}/state returns the state of the thread that the path names.',
    ),
    must('state.get.latest', 'GET /threads/{thread_id}/state returns the state that the latest run left.'),
  ]),
]
