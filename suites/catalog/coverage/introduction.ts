import { coverage, stated, undecidable } from './statement.ts'

export const introduction = coverage('Introduction', [
  undecidable('sentence 1', 'The specification describes two areas of one service.', 'This describes the document.'),
  stated(
    'sentence 2',
    'Clients reach the deployment API at the deployment URL.',
    'thread.create.accepts-empty-object',
    'assistant.search.answers-array',
  ),
  stated('sentence 3', 'Clients reach the bulk export API at the base URL.', 'export.list.answers-list'),
  undecidable('sentence 4', 'No other document applies.', 'This describes the document.'),
])
