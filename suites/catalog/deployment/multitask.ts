import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

/** Row of the table "Run status" on a run that is interrupted by another. */
const interruptRequirements = section('deployment', 'States and transitions / Run status', [
  must(
    'multitask.interrupt.accepted',
    'A run with `interrupt` is created on a thread where another run is still executing.',
  ),
  must(
    'multitask.interrupt.new-run-pending',
    'A run that interrupts another is answered as a run with status `pending`.',
  ),
  must(
    'multitask.interrupt.earlier-interrupted',
    'A run that is still executing when a run with `interrupt` is created on its thread becomes `interrupted`.',
    { interpretation: 'Judged once the new run has ended, not by how fast it happens.' },
  ),
  must('multitask.interrupt.earlier-kept', 'An interrupted run is not deleted: it can still be read.'),
  must('multitask.interrupt.earlier-listed', "An interrupted run is not deleted: its thread's list of runs holds it."),
  must(
    'multitask.interrupt.partial-outputs-stay',
    'The outputs of the steps that an interrupted run had finished stay in the state of the thread.',
  ),
  must('multitask.interrupt.new-run-succeeds', 'The run that interrupts another executes and ends with `success`.'),
  must('multitask.interrupt.new-outputs', 'The outputs of the run that interrupts another stand in the state.'),
  must(
    'multitask.interrupt.outputs-follow',
    'The outputs of the run that interrupts another follow those of the interrupted run.',
  ),
  should(
    'multitask.interrupt.both-inputs',
    'After an interruption the state holds the input messages of both runs, the earlier one first.',
    {
      interpretation:
        'The document speaks of the outputs of the interrupted run: that its input stays as well is advised.',
    },
  ),
  should('multitask.interrupt.later-steps-left-out', 'An interrupted run leaves no output of steps that come later.', {
    interpretation: 'How fast a run stops is left open: that it does not go on to its end is advised.',
  }),
  must(
    'multitask.interrupt.repeated.each-interrupted',
    'Of several runs that interrupt each other in a row each but the last becomes `interrupted`.',
  ),
  must(
    'multitask.interrupt.repeated.each-kept',
    'Of several runs that interrupt each other in a row each can still be read.',
  ),
  must(
    'multitask.interrupt.repeated.partial-outputs-stay',
    'Of several runs that interrupt each other in a row each leaves the outputs of its finished steps in the state.',
  ),
  must(
    'multitask.interrupt.repeated.in-order',
    'The outputs of several runs that interrupt each other stand in the state in the order of the runs.',
  ),
  must(
    'multitask.interrupt.repeated.last-succeeds',
    'The last of several runs that interrupt each other executes and ends with `success`.',
  ),
  must(
    'multitask.interrupt.finished-status-stays',
    'A run that has finished before a run with `interrupt` is created keeps its status.',
  ),
  must(
    'multitask.interrupt.finished-outputs-stay',
    'A run that has finished before a run with `interrupt` is created keeps its outputs in the state.',
  ),
  must(
    'multitask.interrupt.other-threads-status',
    'A run with `interrupt` interrupts no run that executes on another thread.',
  ),
  must(
    'multitask.interrupt.other-threads-outputs',
    'A run with `interrupt` on one thread takes nothing from the outputs of a run that executes on another thread.',
  ),
  unspecified(
    'multitask.interrupt.waiting-run',
    'What becomes of a run that has not begun when a run with `interrupt` comes.',
  ),
  unspecified('multitask.interrupt.queued-run', 'What becomes of a queued run when a run with `interrupt` comes.'),
  unspecified('multitask.interrupt.join-answer', 'What joining an interrupted run answers.'),
])

/** Rule for `enqueue`. */
const enqueueRequirements = section('deployment', 'States and transitions / Run status', [
  must('multitask.enqueue.accepted', 'A run with `enqueue` is created on a thread where another run is active.'),
  must('multitask.enqueue.pending', 'A run that is queued behind another is answered as a run with status `pending`.'),
  should(
    'multitask.enqueue.answered-at-once',
    'The creation of a run that is queued is answered before the earlier run has ended.',
    { interpretation: 'How long an answer takes on its way is not known: advised.' },
  ),
  must('multitask.enqueue.earlier-succeeds', 'A run behind which another is queued ends with `success`.'),
  must(
    'multitask.enqueue.earlier-outputs',
    'A run behind which another is queued leaves all its outputs in the state.',
  ),
  must('multitask.enqueue.executes', 'A queued run executes: it ends with `success`.'),
  must(
    'multitask.enqueue.all-messages',
    'A thread ends with the messages of all queued runs, inputs and answers, each of them once.',
  ),
  must('multitask.enqueue.after-earlier', 'A queued run executes after the run that was active when it was created.', {
    interpretation: 'Judged by the final state: nothing of the queued run stands before the end of the earlier one.',
  }),
  must('multitask.enqueue.order-received', 'Queued runs execute in the order in which they were received.', {
    interpretation: 'Judged by the order of their messages in the final state.',
  }),
  must('multitask.enqueue.one-at-a-time', 'No two queued runs execute at once.', {
    interpretation: 'Judged by the final state: the messages of each run stand together.',
  }),
  must('multitask.enqueue.messages-in-run-order', 'The thread ends with the input of each run before its answers.'),
  must(
    'multitask.enqueue.at-the-same-time.each-executes',
    'Runs with `enqueue` that are created at the same time each execute: all end with `success`.',
  ),
  must(
    'multitask.enqueue.at-the-same-time.all-messages',
    'After runs with `enqueue` that were created at the same time the thread ends with the messages of all of them.',
  ),
  must(
    'multitask.enqueue.used-thread.executes',
    'On a thread whose queue has been worked off before, runs are queued and executed again.',
  ),
  must(
    'multitask.enqueue.used-thread.order',
    'On a thread whose queue has been worked off before, the messages of later runs follow in the order received.',
  ),
  must(
    'multitask.enqueue.many-threads.all-messages',
    'With queues on many threads side by side each thread ends with the messages of all its runs, in order.',
  ),
  must(
    'multitask.enqueue.many-threads.apart',
    'With queues on many threads side by side no thread ends with a message of another thread.',
  ),
  unspecified('multitask.enqueue.status-while-queued', 'Which status a queued run shows while it waits.'),
])

const rejectRequirements = [
  ...section('deployment', 'Errors', [
    unspecified(
      'multitask.reject.answer-on-busy-thread',
      'What the creation of a run with `reject` on a busy thread answers.',
    ),
    unspecified('multitask.reject.trace-on-busy-thread', 'What a run with `reject` on a busy thread leaves behind.'),
    unspecified(
      'multitask.default.on-busy-thread',
      'What the creation of a run without a strategy on a busy thread does.',
    ),
  ]),
  ...section('deployment', 'States and transitions / Run status', [
    must('multitask.reject.earlier-succeeds', 'A run ends with `success` although a run with `reject` came meanwhile.'),
    must(
      'multitask.reject.earlier-outputs',
      'A run leaves all its outputs in the state although a run with `reject` came meanwhile.',
    ),
    must(
      'multitask.reject.accepted-when-idle',
      'A run with `reject` is created on a thread whose runs have all ended.',
    ),
    must(
      'multitask.reject.later-run-succeeds',
      'A run with `reject` on an idle thread executes and ends with `success`.',
    ),
    must(
      'multitask.reject.later-outputs-follow',
      'The outputs of a run with `reject` follow those of the runs that ended before.',
    ),
    must(
      'multitask.reject.other-threads-accepted',
      'A run with `reject` is created on an idle thread while another thread is busy.',
    ),
    must(
      'multitask.reject.other-threads-succeed',
      'A run with `reject` on an idle thread ends with `success` although another thread was busy.',
    ),
  ]),
]

export const multitaskRequirements: readonly Requirement[] = [
  ...section('deployment', 'What the service does', [
    must(
      'multitask.governed-by-strategy',
      'Whatever the order of creating, polling, joining and streaming, concurrent runs on a thread follow their strategies.',
      {
        interpretation:
          'Judged by the final messages and both statuses; a run that was not seen to execute when another interrupted it is left out.',
      },
    ),
  ]),
  ...interruptRequirements,
  ...enqueueRequirements,
  ...rejectRequirements,
]
