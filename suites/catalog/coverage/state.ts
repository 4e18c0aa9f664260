import { leftOpen, missing, type SectionCoverage, stated } from './statement.ts'

export const state: SectionCoverage = {
  section: 'Resources and their fields / Thread state',
  statements: [
    stated('values, type', 'The values are an object.', 'state.fields.values.present', 'state.fields.values.type'),
    stated(
      'values, notes a',
      'The values are the state of the graph.',
      'run.status.results-in-state',
      'state.get.latest',
    ),
    stated(
      'values, notes b',
      'The values hold `messages`, an array.',
      'state.values.messages.present',
      'state.values.messages.type',
    ),
    stated('next, type', '`next` is an array.', 'state.fields.next.present', 'state.fields.next.type'),
    stated('next, notes', '`next` is empty if no node is pending.', 'state.fields.next.empty'),
    stated('tasks, type', '`tasks` is an array.', 'state.fields.tasks.present', 'state.fields.tasks.type'),
    stated('tasks, notes', '`tasks` is empty if nothing is pending.', 'state.fields.tasks.empty'),
    stated('metadata, type', 'Metadata is an object.', 'state.fields.metadata.present', 'state.fields.metadata.type'),
    stated('metadata, notes a', 'Metadata has `step`, an integer.', 'state.metadata.step.*'),
    stated('metadata, notes b', 'Metadata has the `run_id`.', 'state.metadata.run_id.*'),
    stated(
      'metadata, notes c',
      'Metadata has a `source`.',
      'state.metadata.source.present',
      'state.metadata.source.values',
    ),
    stated('metadata, notes d', 'Metadata has `writes`, an object keyed by node name.', 'state.metadata.writes.*'),
    stated('metadata, notes e', 'Metadata has a `user_id`.', 'state.metadata.user_id.*'),
    stated('metadata, notes f', 'Metadata has the `graph_id`.', 'state.metadata.graph_id.*'),
    stated('metadata, notes g', 'Metadata has the `thread_id`.', 'state.metadata.thread_id.*'),
    stated('metadata, notes h', 'Metadata has `created_by`.', 'state.metadata.created_by.*'),
    stated('metadata, notes i', 'Metadata has the `assistant_id`.', 'state.metadata.assistant_id.*'),
    stated(
      'created_at, type',
      'The creation time is an ISO 8601 string; no offset is asked for.',
      'state.fields.created_at.*',
    ),
    stated(
      'checkpoint_id',
      'The state has the id of its checkpoint, a string.',
      'state.fields.checkpoint_id.*',
      'state.checkpoint-id.changes',
    ),
    stated(
      'parent_checkpoint_id',
      'The state has the id of the parent checkpoint, a string.',
      'state.fields.parent_checkpoint_id.*',
    ),
    missing('parent_checkpoint_id, notes', 'The parent is another checkpoint.'),
    leftOpen(
      'table a',
      'Further fields of a state and of its metadata.',
      'state.fields.further',
      'state.metadata.further',
    ),
    leftOpen(
      'table b',
      'The state of a thread without runs, and after a run failed.',
      'state.never-run',
      'state.after-failure',
    ),
  ],
}
