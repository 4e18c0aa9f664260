import { must, type Requirement, section } from '../requirement.ts'

export const serviceRequirements: readonly Requirement[] = section('deployment', 'What the service does', [
  must('service.graphs.by-name', 'Of several hosted graphs, the one that is named executes.'),
  must('service.assistant.executes-its-graph', 'An assistant executes the graph that it is an instance of.'),
  must(
    'service.thread.keeps-conversation',
    'What earlier runs left on a thread stays in its state when a later run adds to it.',
  ),
  must('service.thread.accepts-other-assistant', 'Different assistants can be run on one thread one after another.'),
  must('service.thread.later-sees-state', 'An assistant run on a thread sees the state that another one left there.'),
  must('service.run.updates-state', 'A run changes the state of its thread.'),
  must('service.background.returns-at-once', 'Run creation returns while the run still executes.', {
    interpretation:
      'The run takes as long as budgets.slowMs says; where the answer comes later than that, a run five times as long decides.',
  }),
  must(
    'service.multitask.new-run-decides',
    'The `multitask_strategy` of the run being created governs, not that of the run already active.',
    {
      interpretation: 'Judged by the final messages and both statuses, once with `enqueue` and once with `interrupt`.',
    },
  ),
])
