import { each, must, type Requirement, section, should } from '../requirement.ts'

export const serviceRequirements: readonly Requirement[] = section('deployment', 'What the service does', [
  ...each(must, {
    'service.graphs.by-name':
      'A run executes the graph that its request names, even if the server hosts several graphs.',
    'service.assistant.executes-its-graph': 'A run of an assistant executes the graph of that assistant.',
    'service.thread.keeps-conversation': 'The thread state keeps what earlier runs added when a later run adds to it.',
    'service.thread.accepts-other-assistant': 'Different assistants can run on one thread one after another.',
    'service.thread.later-sees-state':
      'A run of one assistant sees the thread state that a run of another assistant left.',
    'service.run.updates-state': 'A run updates the state of its thread.',
  }),
  must('service.background.returns-at-once', 'Run creation returns while the run still executes.', {
    interpretation:
      'The test graph runs for `budgets.slowMs`; if the response arrives later than that, the check repeats with longer runs.',
  }),
  should(
    'service.background.outlives-client',
    'A run executes to its end even if its client disconnects before run creation returns.',
    {
      interpretation:
        'The specification says that runs execute in the background, but does not mention such clients, so this is a SHOULD. Tested if the list of runs contains the run: the server may also create none.',
    },
  ),
  must(
    'service.multitask.new-run-decides',
    'The `multitask_strategy` of the new run applies, not the one of the active run.',
    {
      interpretation: 'Tested by the status of the active run, once with `enqueue` and once with `interrupt`.',
    },
  ),
])
