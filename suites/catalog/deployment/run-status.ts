import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

export const runStatusRequirements: readonly Requirement[] = section(
  'deployment',
  'States and transitions / Run status',
  [
    must('run.status.ends', 'A run whose graph completes reaches a final status.'),
    should('run.status.pending-at-first-poll', 'The first poll of a slow run shows `pending`.', {
      interpretation: 'A server may have started the run and show another status by then, so this is a SHOULD.',
    }),
    must('run.status.not-final-while-executing', 'A run does not show a final status while its graph executes.', {
      interpretation:
        'Any status passes except `success`, `interrupted` and a failure; the specification does not list other statuses.',
    }),
    must('run.status.success', 'A run whose graph completes normally ends with `success`.'),
    must('run.status.keeps-final', 'A run that has ended keeps its status.'),
    must('run.status.kept', 'A run that has succeeded can still be read after a later run has ended on its thread.'),
    must('run.status.results-in-state', 'Once a run has succeeded, the thread state contains its results.'),
    must('run.status.results-after-join', 'When a join returns, the thread state contains the results of the run.'),
    should('run.status.success-after-join', 'When a join returns, the run shows `success`.', {
      interpretation:
        'A join returns after completion; the specification does not say that the status changes at the same moment, so this is a SHOULD.',
    }),
    unspecified(
      'run.status.other-values',
      'Which statuses a run takes in addition to `pending`, `success` and `interrupted`.',
    ),
  ],
)
