import { array, equals, holds, integer, isObject, iso8601, object, present, shown, string, uuid } from '../facts.ts'
import { type AnswerPlace, type Fact, type FieldTable, field, fieldRequirements, type Subject } from '../fields.ts'
import { must, type Requirement, section, unspecified } from '../requirement.ts'

const stateAt = (...at: readonly string[]): AnswerPlace => ({ method: 'GET', path: '/threads/{thread_id}/state', at })
const common = { area: 'deployment', section: 'Resources and their fields / Thread state' } as const
const aUuid = '00000000-0000-4000-8000-000000000000'

/** What a state is compared with: the run that made it. */
export interface StateRoot {
  readonly run_id: string
  readonly thread_id: string
  readonly graph_id: string
  /** As the run's record tells it; undefined where records name another one than executes. */
  readonly assistant_id: unknown
}

/** Table "Thread state": the state itself, after at least two steps. */
export const stateTable: FieldTable = {
  ...common,
  prefix: 'state.fields',
  subject: 'the state of a thread',
  needs: 'state.get.answers-state',
  places: [stateAt()],
  fields: [
    field('values', present(), object()),
    field(
      'next',
      present(),
      array(),
      equals('empty', 'is empty when no node is pending', [], ['first'], {
        interpretation: 'No node is pending once the run has succeeded.',
      }),
    ),
    field(
      'tasks',
      present(),
      array(),
      equals('empty', 'is empty when nothing is pending', [], [{ id: aUuid, name: 'first' }], {
        interpretation: 'Nothing is pending once the run has succeeded.',
      }),
    ),
    field('metadata', present(), object()),
    field('created_at', present(), string(), iso8601()),
    field('checkpoint_id', present(), string()),
    field(
      'parent_checkpoint_id',
      present({ interpretation: 'Judged once a second step has been made.' }),
      string({ interpretation: 'Judged once a second step has been made: the first checkpoint has no parent.' }),
    ),
  ],
}

/** Table "Thread state": what `values` holds. */
export const stateValuesTable: FieldTable = {
  ...common,
  prefix: 'state.values',
  subject: 'the values of a state',
  needs: 'state.fields.values.type',
  places: [stateAt('values')],
  fields: [field('messages', present(), array())],
}

/** Table "Thread state": the keys of `metadata`. */
export const stateMetadataTable: FieldTable = {
  ...common,
  prefix: 'state.metadata',
  subject: 'the metadata of a state',
  needs: 'state.fields.metadata.type',
  places: [stateAt('metadata')],
  fields: [
    field('step', present(), integer()),
    field('run_id', present(), theSame('run_id', 'is the id of the run that made the state')),
    field('source', present()),
    field('writes', present(), object()),
    field(
      'user_id',
      shown({
        profile: 'open',
        interpretation: 'Without custom authentication it is empty, and absent is as good as empty.',
      }),
      present({ key: 'present-with-auth', statement: 'is present with custom authentication', profile: 'custom-auth' }),
    ),
    field('graph_id', present(), theSame('graph_id', 'is the name of the graph that ran', 'another-graph')),
    field('thread_id', present(), theSame('thread_id', 'is the id of the thread')),
    field('created_by', present({ interpretation: 'Judged on a run of the default assistant.' })),
    field('assistant_id', present(), theSame('assistant_id', 'is the id of the assistant that ran')),
  ],
}

function theSame(key: keyof StateRoot, statement: string, broken: string = aUuid): Fact {
  const wanted = (subject: Subject): unknown => (isObject(subject.root) ? subject.root[key] : undefined)
  // The run's record has rows of its own: where it does not tell, there is nothing to compare with.
  const known = (subject: Subject): boolean => typeof wanted(subject) === 'string' && comparable(key, wanted(subject))
  const fact = holds('same', statement, (value, subject) => !known(subject) || value === wanted(subject), broken)
  return {
    ...fact,
    problem: (value, subject) => fact.problem(value, subject) && { expected: JSON.stringify(wanted(subject)) },
  }
}

function comparable(key: keyof StateRoot, value: unknown): boolean {
  return key === 'graph_id' || uuid().problem(value, { label: key, value }) === undefined
}

export const stateRequirements: readonly Requirement[] = [
  ...fieldRequirements(stateTable),
  ...fieldRequirements(stateValuesTable),
  ...fieldRequirements(stateMetadataTable),
  ...section('deployment', 'Resources and their fields / Thread state', [
    must('state.metadata.writes.node-names', '`writes` in the metadata of a state is keyed by names of nodes.', {
      interpretation: 'Keys that begin with two underscores name no node of the graph and are passed over.',
    }),
    unspecified('state.metadata.source.values', 'Which values `source` in the metadata of a state takes.'),
    unspecified('state.metadata.created_by.value', 'Which value `created_by` in the metadata of a state has.'),
    unspecified('state.metadata.user_id.value', 'Which value `user_id` in the metadata of a state has.'),
    unspecified('state.metadata.further', 'Which further keys the metadata of a state holds.'),
    unspecified('state.fields.further', 'Which further fields a state carries.'),
    unspecified('state.next.elements', 'What the elements of `next` look like.'),
    unspecified('state.tasks.elements', 'What the elements of `tasks` look like.'),
    unspecified('state.never-run', 'What the state of a thread is on which nothing has run.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /threads/{thread_id}/state', [
    must('state.get.answers-state', 'GET /threads/{thread_id}/state answers with a thread state.'),
    must('state.get.that-thread', 'GET /threads/{thread_id}/state answers with the state of that thread.'),
    must('state.get.latest', 'GET /threads/{thread_id}/state answers with the state that the newest run left.'),
  ]),
]
