import { each, must, type Requirement, section, should, unspecified } from '../requirement.ts'

/** Requirements of the strategy `interrupt`. */
const interruptRequirements = section('deployment', 'States and transitions / Run status', [
  must('multitask.interrupt.accepted', 'A run with `interrupt` can be created on a thread while another run executes.'),
  must(
    'multitask.interrupt.new-run-pending',
    'The creation of a run with `interrupt` on a busy thread returns a run with `status` `pending`.',
  ),
  must(
    'multitask.interrupt.earlier-interrupted',
    'A run that is still executing when a run with `interrupt` is created on its thread becomes `interrupted`.',
    { interpretation: 'Tested after the new run has ended; the specification sets no time limit.' },
  ),
  ...each(must, {
    'multitask.interrupt.earlier-kept': 'An interrupted run is not deleted and can still be read.',
    'multitask.interrupt.earlier-listed':
      "An interrupted run is not deleted and still appears in its thread's list of runs.",
    'multitask.interrupt.partial-outputs-stay':
      'The thread state keeps the output of the nodes that an interrupted run had finished.',
    'multitask.interrupt.new-run-succeeds': 'A run that interrupts another executes and ends with `success`.',
    'multitask.interrupt.new-outputs': 'The thread state contains the output of the run that interrupts another.',
    'multitask.interrupt.outputs-follow':
      'The output of the run that interrupts another comes after the output of the interrupted run.',
  }),
  should(
    'multitask.interrupt.both-inputs',
    'After an interruption, the thread state contains the input messages of both runs, the earlier one first.',
    {
      interpretation:
        'The specification mentions only the output of the interrupted run, so keeping its input is a SHOULD.',
    },
  ),
  should(
    'multitask.interrupt.later-steps-left-out',
    'The thread state contains no output of nodes that an interrupted run had not started.',
    {
      interpretation: 'The specification does not define how quickly a run stops, so this is a SHOULD.',
    },
  ),
  ...each(must, {
    'multitask.interrupt.repeated.each-interrupted':
      'When several runs interrupt each other in turn, each run except the last becomes `interrupted`.',
    'multitask.interrupt.repeated.each-kept':
      'When several runs interrupt each other in turn, each run can still be read.',
    'multitask.interrupt.repeated.partial-outputs-stay':
      'When several runs interrupt each other in turn, the thread state keeps the output of the nodes that each run had finished.',
    'multitask.interrupt.repeated.in-order':
      'When several runs interrupt each other in turn, the thread state contains their output in the order of the runs.',
    'multitask.interrupt.repeated.last-succeeds':
      'When several runs interrupt each other in turn, the last run executes and ends with `success`.',
    'multitask.interrupt.finished-status-stays':
      'A run that ended before a run with `interrupt` is created keeps its status.',
    'multitask.interrupt.finished-outputs-stay':
      'The thread state keeps the output of a run that ended before a run with `interrupt` is created.',
    'multitask.interrupt.other-threads-status': 'A run with `interrupt` does not interrupt runs on other threads.',
    'multitask.interrupt.other-threads-outputs':
      'A run with `interrupt` on one thread removes no output of a run that executes on another thread.',
  }),
  unspecified(
    'multitask.interrupt.waiting-run',
    'What happens to a run that has not started when a run with `interrupt` is created.',
  ),
  unspecified('multitask.interrupt.queued-run', 'What happens to a queued run when a run with `interrupt` is created.'),
  unspecified('multitask.interrupt.join-answer', 'What the join of an interrupted run returns.'),
])

/** Requirements of the strategy `enqueue`. */
const enqueueRequirements = section('deployment', 'States and transitions / Run status', [
  must('multitask.enqueue.accepted', 'A run with `enqueue` can be created on a thread while another run is active.'),
  must('multitask.enqueue.pending', 'The creation of a queued run returns a run with `status` `pending`.'),
  must(
    'multitask.enqueue.not-final-while-queued',
    'A queued run shows no final status before the earlier run has ended.',
  ),
  should(
    'multitask.enqueue.pending-while-queued',
    'A queued run shows `status` `pending` until the earlier run has ended.',
    {
      interpretation:
        'Tested while the earlier run still sleeps, so the queued run has not started. The specification does not exclude other statuses, so this is a SHOULD.',
    },
  ),
  should(
    'multitask.enqueue.answered-at-once',
    'The creation of a queued run returns before the earlier run has ended.',
    { interpretation: 'The network can delay a response, so this is a SHOULD.' },
  ),
  must('multitask.enqueue.earlier-succeeds', 'A run with another run queued behind it ends with `success`.'),
  must(
    'multitask.enqueue.earlier-outputs',
    'The thread state contains all output of a run with another run queued behind it.',
  ),
  must('multitask.enqueue.executes', 'A queued run executes and ends with `success`.'),
  must(
    'multitask.enqueue.all-messages',
    'The final thread state contains the input and output messages of all queued runs, each exactly once.',
  ),
  must('multitask.enqueue.after-earlier', 'A queued run executes after the run that was active when it was created.', {
    interpretation:
      'Tested on the final thread state: no message of the queued run comes before the last message of the earlier run.',
  }),
  must('multitask.enqueue.order-received', 'Queued runs execute in the order in which the server received them.', {
    interpretation: 'Tested by the order of their messages in the final thread state.',
  }),
  must('multitask.enqueue.one-at-a-time', 'Queued runs do not execute concurrently.', {
    interpretation: 'Tested on the final thread state: the messages of different runs do not interleave.',
  }),
  ...each(must, {
    'multitask.enqueue.messages-in-run-order':
      'In the final thread state, the input of each run comes before its output.',
    'multitask.enqueue.at-the-same-time.each-executes':
      'Runs with `enqueue` that are created concurrently all execute and end with `success`.',
    'multitask.enqueue.at-the-same-time.all-messages':
      'The final thread state contains the messages of all runs with `enqueue` that were created concurrently.',
    'multitask.enqueue.used-thread.executes':
      'Runs can be queued again and execute on a thread whose earlier queue is empty.',
    'multitask.enqueue.used-thread.order':
      'On a thread whose earlier queue is empty, the messages of later runs follow in the order received.',
    'multitask.enqueue.many-threads.all-messages':
      'With concurrent queues on many threads, the final state of each thread contains the messages of all its runs in order.',
    'multitask.enqueue.many-threads.apart':
      'With concurrent queues on many threads, no thread state contains a message of another thread.',
  }),
])

/** Requirements of the strategy `reject`. */
const rejectRequirements = [
  ...section('deployment', 'Errors', [
    ...each(unspecified, {
      'multitask.reject.answer-on-busy-thread': 'What the creation of a run with `reject` on a busy thread returns.',
      'multitask.reject.trace-on-busy-thread': 'What a run with `reject` on a busy thread leaves behind.',
      'multitask.default.on-busy-thread':
        'What the creation of a run without `multitask_strategy` on a busy thread does.',
    }),
  ]),
  ...section('deployment', 'States and transitions / Run status', [
    ...each(must, {
      'multitask.reject.earlier-succeeds':
        'A run ends with `success` even if a run with `reject` is requested while it executes.',
      'multitask.reject.earlier-outputs':
        'The thread state contains all output of a run even if a run with `reject` is requested while it executes.',
      'multitask.reject.accepted-when-idle':
        'A run with `reject` can be created on a thread whose runs have all ended.',
      'multitask.reject.later-run-succeeds': 'A run with `reject` on an idle thread executes and ends with `success`.',
      'multitask.reject.later-outputs-follow':
        'The output of a run with `reject` comes after the output of the runs that ended before it.',
      'multitask.reject.other-threads-accepted':
        'A run with `reject` can be created on an idle thread while another thread is busy.',
      'multitask.reject.other-threads-succeed':
        'A run with `reject` on an idle thread ends with `success` while another thread is busy.',
    }),
  ]),
]

export const multitaskRequirements: readonly Requirement[] = [
  ...section('deployment', 'What the service does', [
    must(
      'multitask.governed-by-strategy',
      'Concurrent runs on a thread follow their strategies, in any order in which clients create, poll, join and stream them.',
      {
        interpretation:
          'Tested by the final messages and the status of each run; a run that was not seen executing before another interrupted it is ignored.',
      },
    ),
  ]),
  ...interruptRequirements,
  ...enqueueRequirements,
  ...rejectRequirements,
]
