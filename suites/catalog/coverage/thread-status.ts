import { coverage, leftOpen, stated } from './statement.ts'

export const threadStatus = coverage('States and transitions / Thread status', [
  stated('sentence 1', 'A new thread is `idle`.', 'thread.fields.status.default'),
  leftOpen('sentence 2', 'Transitions of the status.', 'thread.status.*'),
])
