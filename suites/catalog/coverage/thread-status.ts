import { leftOpen, type SectionCoverage, stated } from './statement.ts'

export const threadStatus: SectionCoverage = {
  section: 'States and transitions / Thread status',
  statements: [
    stated('sentence 1', 'A new thread is `idle`.', 'thread.fields.status.default'),
    leftOpen('sentence 2', 'Transitions of the status.', 'thread.status.*'),
  ],
}
