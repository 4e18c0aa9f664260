import { coverage, leftOpen, stated } from './statement.ts'

export const thread = coverage('Resources and their fields / Thread', [
  stated('thread_id, field', 'A thread has an id.', 'thread.fields.thread_id.present', 'thread.create.fresh-id'),
  stated(
    'thread_id, type',
    'The id is a string in UUID form.',
    'thread.fields.thread_id.type',
    'thread.fields.thread_id.uuid',
    'ids.thread',
  ),
  stated(
    'created_at, field',
    'A thread has a creation time.',
    'thread.fields.created_at.present',
    'thread.updated-not-before-created',
    'thread.times-current',
  ),
  stated(
    'created_at, type',
    'The creation time is an ISO 8601 string with offset.',
    'thread.fields.created_at.type',
    'thread.fields.created_at.iso8601',
    'thread.fields.created_at.offset',
  ),
  stated(
    'updated_at, field',
    'A thread has an update time.',
    'thread.fields.updated_at.present',
    'thread.updated-not-before-created',
  ),
  stated(
    'updated_at, type',
    'The update time is an ISO 8601 string with offset.',
    'thread.fields.updated_at.type',
    'thread.fields.updated_at.iso8601',
    'thread.fields.updated_at.offset',
  ),
  stated('metadata, type', 'Metadata is an object.', 'thread.fields.metadata.present', 'thread.fields.metadata.type'),
  stated('metadata, notes', 'Metadata is empty on creation.', 'thread.fields.metadata.default'),
  stated('status, type', 'The status is a string.', 'thread.fields.status.present', 'thread.fields.status.type'),
  stated('status, notes a', 'A new thread is `idle`.', 'thread.fields.status.default'),
  leftOpen('status, notes b', 'Other values of the status.', 'thread.status.other-values'),
  stated('config, type', 'The config is an object.', 'thread.fields.config.present', 'thread.fields.config.type'),
  stated('config, notes', 'The config is empty on creation.', 'thread.fields.config.default'),
  stated(
    'values, type',
    'The values are an object or null.',
    'thread.fields.values.present',
    'thread.fields.values.type',
  ),
  stated('values, notes a', 'A new thread has null values.', 'thread.fields.values.default'),
  stated(
    'values, notes b',
    'After runs, the values are the graph state. Tested with the thread state, because no request returns a thread later.',
    'service.run.updates-state',
    'run.status.results-in-state',
    'thread.fields.values.after-runs',
    'thread.read',
  ),
  stated('values, notes c', 'The graph state includes `messages`.', 'state.values.messages.present'),
  leftOpen('table', 'Further fields of a thread.', 'thread.fields.further'),
])

export const threadStatus = coverage('States and transitions / Thread status', [
  stated('sentence 1', 'A new thread is `idle`.', 'thread.fields.status.default'),
  leftOpen('sentence 2', 'Transitions of the status.', 'thread.status.*'),
])
