import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

export const runStatusRequirements: readonly Requirement[] = section(
  'deployment',
  'States and transitions / Run status',
  [
    must('run.status.ends', 'A run whose graph completes reaches a final status.'),
    should('run.status.pending-at-first-poll', 'The first poll of a run that takes its time shows `pending`.', {
      interpretation: 'A server may have begun to execute it by then and say so in another status: advised.',
    }),
    must('run.status.not-final-while-executing', 'A run does not show a final status while its graph executes.', {
      interpretation:
        'Any status passes but `success`, `interrupted` and those of a failure: other statuses are not shown.',
    }),
    must('run.status.success', 'A run whose graph completes normally ends with `success`.'),
    must('run.status.keeps-final', 'A run that has ended keeps its status: it never goes backwards.'),
    must('run.status.kept', 'A run that has succeeded can still be polled when a later run has ended on its thread.'),
    must('run.status.results-in-state', 'Once a run has succeeded its results are in the thread state.'),
    must('run.status.results-after-join', 'When a join returns, the results of the run are in the thread state.'),
    should('run.status.success-after-join', 'When a join returns, the run shows `success`.', {
      interpretation: 'Join returns after completion; that the status shows it in the same instant is advised.',
    }),
    unspecified('run.status.other-values', 'Which statuses a run takes beside `pending`, `success` and `interrupted`.'),
  ],
)
