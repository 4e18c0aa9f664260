import type { Policies } from '../../../mock-server/deployment/policies.ts'
import type { Run, Thread } from '../../../mock-server/deployment/records.ts'
import type { Message } from '../../../mock-server/graphs/types.ts'
import {
  changeShownMessages,
  changeShownStatus,
  changeStrategy,
  endsAs,
  everyMessage,
  type Flight,
  isSlow,
  loseOutputs,
  watchCreations,
  withMessages,
} from '../multitask.ts'
import type { Fetch, Mutant } from '../mutant.ts'
import { createRun, getRun, listRuns } from '../requests.ts'
import { changeAt, changeResponse, respondInstead } from '../responses.ts'

/** Shows a run that is created on a thread with earlier runs, and with `interrupt`, as running. */
function answeredAsRunning(fetch: Fetch): Fetch {
  const used = new Set<string>()
  return changeResponse(createRun, (body, request) => {
    const thread = new URL(request.url).pathname
    const { multitask_strategy } = body as { multitask_strategy: string }
    if (used.has(thread) && multitask_strategy === 'interrupt') changeAt(body, ['status'], () => 'running')
    used.add(thread)
    return body
  })(fetch)
}

function isAnswer({ type, content }: Message, word: string): boolean {
  return type === 'ai' && typeof content === 'string' && content.startsWith(`${word}: `)
}

/** Puts the messages that pass behind the others. */
function toTheEnd(messages: readonly Message[], moves: (message: Message) => boolean): readonly Message[] {
  return [...messages.filter((message) => !moves(message)), ...messages.filter(moves)]
}

/** The ids of the messages that a run added after its input. */
function outputs(thread: Thread, runId: string): readonly string[] {
  const own = thread.checkpoints.filter(({ metadata }) => metadata.run_id === runId)
  const [before, after] = [own[1], own.at(-1)].map((one) => one?.values.messages.toArray().map(({ id }) => id) ?? [])
  return after?.filter((id) => !before?.includes(id)) ?? []
}

/** Runs that sleep on other threads when a run with `interrupt` comes. */
function hitElsewhere(policies: Policies) {
  const sleepers = new Set<Run>()
  const hit = new Set<string>()
  const presentRun: Policies['presentRun'] = (run, dialect) => {
    if (isSlow(run) && run.multitask_strategy === 'interrupt') sleepers.add(run)
    return policies.presentRun(run, dialect)
  }
  const watched = watchCreations(policies, ({ strategy, threadId }) => {
    if (strategy !== 'interrupt') return
    for (const { run_id, thread_id, outcome } of sleepers) {
      if (thread_id !== threadId && outcome === undefined) hit.add(run_id)
    }
  })
  return { hit, watched: { ...policies, ...watched, presentRun } }
}

export const interruptMutants: readonly Mutant[] = [
  {
    id: 'multitask.interrupt.refused',
    defect: 'interrupt is refused on a busy thread as if it were reject',
    requirements: ['multitask.interrupt.accepted'],
    policies: ({ multitask }) => ({ multitask: { ...multitask, interrupt: multitask.reject } }),
  },
  {
    id: 'multitask.interrupt.answered-as-running',
    defect: 'a run that interrupts another is answered as running, since it takes its place',
    requirements: ['multitask.interrupt.new-run-pending'],
    wrap: answeredAsRunning,
  },
  {
    id: 'multitask.interrupt.behaves-like-enqueue',
    defect: 'interrupt lets the earlier run go on and queues the new one',
    requirements: ['multitask.interrupt.earlier-interrupted'],
    policies: ({ multitask }) => ({ multitask: { ...multitask, interrupt: multitask.enqueue } }),
  },
  {
    id: 'multitask.interrupt.ends-as-error',
    defect: 'an interrupted run ends with status error',
    requirements: ['multitask.interrupt.earlier-interrupted'],
    policies: (policies) =>
      changeShownStatus(policies, ({ status }) => (status === 'interrupted' ? 'error' : undefined)),
  },
  {
    id: 'multitask.interrupt.behaves-like-rollback',
    defect: 'interrupt deletes the earlier run with everything it wrote',
    requirements: ['multitask.interrupt.earlier-kept', 'multitask.interrupt.partial-outputs-stay'],
    policies: ({ multitask }) => ({ multitask: { ...multitask, interrupt: multitask.rollback } }),
    alsoFails: { 'multitask.interrupt.both-inputs': 'the input goes with the run' },
  },
  {
    id: 'multitask.interrupt.run-deleted',
    defect: 'an interrupted run is deleted, only its outputs stay',
    requirements: ['multitask.interrupt.earlier-kept'],
    policies: (policies) =>
      changeStrategy(policies, 'interrupt', ({ jobs }, usual) => {
        usual()
        for (const { run, thread } of jobs) thread.runs.delete(run.run_id)
      }),
  },
  {
    id: 'multitask.interrupt.run-not-found',
    defect: 'GET of an interrupted run answers 404 although the list still has it',
    requirements: ['multitask.interrupt.earlier-kept'],
    wrap: respondInstead(getRun, async (request, fetch) => {
      const response = await fetch(request)
      const run = (await response.clone().json()) as { status: string }
      return run.status === 'interrupted' ? Response.json({ detail: 'not found' }, { status: 404 }) : response
    }),
  },
  {
    id: 'multitask.interrupt.not-listed',
    defect: 'the list of runs leaves out interrupted ones',
    requirements: ['multitask.interrupt.earlier-listed'],
    wrap: changeResponse(listRuns, (runs) =>
      (runs as { status: string }[]).filter(({ status }) => status !== 'interrupted'),
    ),
  },
  {
    id: 'multitask.interrupt.outputs-lost',
    defect: 'an interrupted run is set back to its input: what its steps had put out is lost',
    requirements: ['multitask.interrupt.partial-outputs-stay'],
    policies: (policies) =>
      changeStrategy(policies, 'interrupt', ({ jobs }, usual) => {
        usual()
        for (const { run, thread } of jobs) {
          const own = thread.checkpoints.filter(({ metadata }) => metadata.run_id === run.run_id)
          thread.checkpoints = thread.checkpoints.filter((one) => !own.slice(2).includes(one))
        }
      }),
  },
  {
    id: 'multitask.interrupt.state-of-before',
    defect: 'the thread of an interrupted run is set back to the state before that run',
    requirements: ['multitask.interrupt.partial-outputs-stay'],
    policies: (policies) =>
      changeStrategy(policies, 'interrupt', ({ jobs }, usual) => {
        usual()
        const ids = new Set(jobs.map(({ run }) => run.run_id))
        for (const { thread } of jobs) {
          thread.checkpoints = thread.checkpoints.filter(({ metadata }) => !ids.has(metadata.run_id ?? ''))
        }
      }),
    alsoFails: { 'multitask.interrupt.both-inputs': 'the input of the interrupted run is lost as well' },
  },
  {
    id: 'multitask.interrupt.input-lost',
    defect: 'the input of an interrupted run is taken out of the state',
    requirements: ['multitask.interrupt.both-inputs'],
    policies: (policies) =>
      changeStrategy(policies, 'interrupt', ({ jobs }, usual) => {
        usual()
        for (const { run, thread } of jobs) {
          const last = thread.checkpoints.at(-1)
          if (last?.metadata.run_id !== run.run_id) continue
          const messages = last.values.messages.toArray()
          const input = messages.findLast(({ type }) => type === 'human')
          thread.checkpoints.push(
            withMessages(
              last,
              messages.filter((message) => message !== input),
            ),
          )
        }
      }),
  },
  {
    id: 'multitask.interrupt.waits-for-the-end',
    defect: 'interrupt waits until the earlier run is through all its steps and calls it interrupted then',
    requirements: ['multitask.interrupt.later-steps-left-out'],
    policies: (policies) => {
      const stopped = new Set<Run>()
      return {
        ...changeStrategy(policies, 'interrupt', ({ jobs }) => {
          for (const { run } of jobs) stopped.add(run)
        }),
        ...changeShownStatus(policies, (run) => (run.outcome && stopped.has(run) ? 'interrupted' : undefined)),
      }
    },
  },
  {
    id: 'multitask.interrupt.earlier-goes-on',
    defect: 'an interrupted run is only called so: it goes on beside the new run and writes after it',
    requirements: ['multitask.interrupt.outputs-follow', 'multitask.interrupt.later-steps-left-out'],
    policies: (policies) => {
      const stopped = new Set<Run>()
      return {
        ...changeStrategy(policies, 'interrupt', ({ jobs }) => {
          for (const { run } of jobs) stopped.add(run)
        }),
        ...changeShownStatus(policies, (run) => (stopped.has(run) ? 'interrupted' : undefined)),
        ...changeShownMessages(policies, (_messages, thread) => everyMessage(thread)),
        chooseNext: (queued, executing) => {
          const next = queued[0]
          const { run } = (next ?? {}) as Partial<Flight>
          return executing === 0 || run?.multitask_strategy === 'interrupt' ? next : undefined
        },
      }
    },
  },
  {
    id: 'multitask.interrupt.new-run-stopped',
    defect: 'the run that interrupts a first one is stopped by the same signal at its end',
    requirements: ['multitask.interrupt.new-run-succeeds'],
    policies: (policies) => {
      const interrupted = new Map<string, number>()
      const after = new Set<string>()
      return {
        ...watchCreations(policies, ({ strategy, runId, threadId, inFlight }) => {
          if (strategy !== 'interrupt' || inFlight.length === 0) return
          interrupted.set(threadId, (interrupted.get(threadId) ?? 0) + 1)
          if (interrupted.get(threadId) === 1) after.add(runId)
        }),
        ...changeShownStatus(policies, endsAs('error', after)),
      }
    },
  },
  {
    id: 'multitask.interrupt.new-outputs-dropped',
    defect: 'the lock of an interrupted run stays: what the new run puts out is not written',
    requirements: ['multitask.interrupt.new-outputs'],
    policies: (policies) => {
      const after = new Set<string>()
      return {
        ...watchCreations(policies, ({ strategy, runId, inFlight }) => {
          if (strategy === 'interrupt' && inFlight.some(({ run }) => isSlow(run))) after.add(runId)
        }),
        ...loseOutputs(policies, (runId) => after.has(runId), 'second'),
      }
    },
  },
  {
    id: 'multitask.interrupt.partial-outputs-late',
    defect: 'what an interrupted run had put out is appended when the new run has ended',
    requirements: ['multitask.interrupt.outputs-follow'],
    policies: (policies) =>
      changeShownMessages(policies, (messages, thread) => {
        const stopped = [...thread.runs.values()].filter(({ status }) => status === 'interrupted')
        return stopped.length === 1 ? toTheEnd(messages, (message) => isAnswer(message, 'before')) : messages
      }),
  },
  {
    id: 'multitask.interrupt.repeated.history-of-one',
    defect: 'only the run that was interrupted last is kept, those before are deleted',
    requirements: ['multitask.interrupt.repeated.each-kept'],
    policies: (policies) =>
      changeStrategy(policies, 'interrupt', ({ jobs }, usual) => {
        usual()
        for (const { run, thread } of jobs) {
          const others = [...thread.runs.values()].filter((one) => one.status === 'interrupted' && one !== run)
          for (const { run_id } of others) thread.runs.delete(run_id)
        }
      }),
  },
  {
    id: 'multitask.interrupt.repeated.second-as-error',
    defect: 'the second run that is interrupted on a thread ends with status error',
    requirements: ['multitask.interrupt.repeated.each-interrupted'],
    policies: (policies) => {
      const second = new Set<Run>()
      return {
        ...changeStrategy(policies, 'interrupt', ({ jobs }, usual) => {
          for (const { run, thread } of jobs) {
            if ([...thread.runs.values()].some(({ status }) => status === 'interrupted')) second.add(run)
          }
          usual()
        }),
        ...changeShownStatus(policies, (run) => (run.outcome && second.has(run) ? 'error' : undefined)),
      }
    },
  },
  {
    id: 'multitask.interrupt.repeated.outputs-overwritten',
    defect: 'a second interruption goes back to the state of the first one',
    requirements: ['multitask.interrupt.repeated.partial-outputs-stay'],
    policies: (policies) =>
      changeStrategy(policies, 'interrupt', ({ jobs }, usual) => {
        usual()
        for (const { run, thread } of jobs) {
          const first = [...thread.runs.values()].find(({ status }) => status === 'interrupted')
          if (first === run) continue
          thread.checkpoints = thread.checkpoints.filter(({ metadata }) => metadata.run_id !== run.run_id)
        }
      }),
  },
  {
    id: 'multitask.interrupt.repeated.last-as-error',
    defect: 'after several interruptions the run that is left ends with status error',
    requirements: ['multitask.interrupt.repeated.last-succeeds'],
    policies: (policies) => {
      const interrupted = new Map<string, number>()
      const late = new Set<string>()
      return {
        ...watchCreations(policies, ({ strategy, runId, threadId, inFlight }) => {
          if (strategy !== 'interrupt' || inFlight.length === 0) return
          interrupted.set(threadId, (interrupted.get(threadId) ?? 0) + 1)
          if (Number(interrupted.get(threadId)) > 1) late.add(runId)
        }),
        ...changeShownStatus(policies, endsAs('error', late)),
      }
    },
  },
  {
    id: 'multitask.interrupt.repeated.reversed',
    defect: 'the outputs of several interrupted runs are merged from the newest to the oldest',
    requirements: ['multitask.interrupt.repeated.in-order'],
    policies: (policies) =>
      changeShownMessages(policies, (messages, thread) => {
        const stopped = [...thread.runs.values()].filter(({ status }) => status === 'interrupted')
        if (stopped.length < 2) return messages
        const reversed = messages.filter((message) => isAnswer(message, 'before')).toReversed()
        return messages.map((message) => (isAnswer(message, 'before') ? (reversed.shift() ?? message) : message))
      }),
  },
  {
    id: 'multitask.interrupt.finished-run-called-interrupted',
    defect: 'interrupt takes the newest run of the thread for active although it has ended',
    requirements: ['multitask.interrupt.finished-status-stays'],
    policies: (policies) => {
      const taken = new Set<string>()
      return {
        ...watchCreations(policies, ({ strategy, inFlight, before }) => {
          if (strategy === 'interrupt' && inFlight.length === 0) for (const id of before.slice(-1)) taken.add(id)
        }),
        ...changeShownStatus(policies, endsAs('interrupted', taken)),
      }
    },
  },
  {
    id: 'multitask.interrupt.finished-run-rolled-back',
    defect: 'interrupt sets an idle thread back to the state before its last run',
    requirements: ['multitask.interrupt.finished-outputs-stay'],
    policies: (policies) => {
      const overrun = new Set<string>()
      return {
        ...watchCreations(policies, ({ strategy, inFlight, before }) => {
          if (strategy === 'interrupt' && inFlight.length === 0) for (const id of before.slice(-1)) overrun.add(id)
        }),
        ...changeShownMessages(policies, (messages, thread) => {
          const lost = new Set([...overrun].flatMap((id) => outputs(thread, id)))
          return messages.filter(({ id }) => !lost.has(id))
        }),
      }
    },
  },
  {
    id: 'multitask.interrupt.other-threads-stopped',
    defect: 'interrupt marks runs of the same graph on other threads as interrupted too',
    requirements: ['multitask.interrupt.other-threads-status'],
    policies: (policies) => {
      const { hit, watched } = hitElsewhere(policies)
      return { ...watched, ...changeShownStatus(watched, endsAs('interrupted', hit)) }
    },
  },
  {
    id: 'multitask.interrupt.other-threads-outputs-lost',
    defect: 'interrupt makes runs of the same graph on other threads lose what they have yet to put out',
    requirements: ['multitask.interrupt.other-threads-outputs'],
    policies: (policies) => {
      const { hit, watched } = hitElsewhere(policies)
      return { ...watched, ...loseOutputs(watched, (runId) => hit.has(runId), 'after') }
    },
  },
]
