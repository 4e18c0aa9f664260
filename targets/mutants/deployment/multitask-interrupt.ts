import type { Policies } from '../../../mock-server/deployment/policies.ts'
import type { Run, Thread } from '../../../mock-server/deployment/records.ts'
import type { Message } from '../../../mock-server/graphs/types.ts'
import type { Fetch } from '../../wrappers/fetch.ts'
import { createRun, getRun, listRuns } from '../../wrappers/requests.ts'
import { changeAt, changeResponse, respondInstead } from '../../wrappers/routes.ts'
import {
  type ActiveRun,
  allMessages,
  type Creation,
  changeShownMessages,
  changeShownStatus,
  changeStrategy,
  dropOutputs,
  failRuns,
  isSlow,
  replaceSuccess,
  silenceRuns,
  watchCreations,
  withMessages,
} from '../multitask.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

/** Shows a run with `interrupt` on a thread with earlier runs as running. */
function respondAsRunning(fetch: Fetch): Fetch {
  const used = new Set<string>()
  return changeResponse(createRun, (body, request) => {
    const thread = new URL(request.url).pathname
    const { multitask_strategy } = body as { multitask_strategy: string }
    if (used.has(thread) && multitask_strategy === 'interrupt') changeAt(body, ['status'], () => 'running')
    used.add(thread)
    return body
  })(fetch)
}

function isOutput({ type, content }: Message, node: string): boolean {
  return type === 'ai' && typeof content === 'string' && content.startsWith(`${node}: `)
}

/** Moves some messages to the end. */
function moveToEnd(messages: readonly Message[], test: (message: Message) => boolean): readonly Message[] {
  return [...messages.filter((message) => !test(message)), ...messages.filter(test)]
}

/** The ids of the output messages of a run. */
function outputs(thread: Thread, runId: string): readonly string[] {
  const checkpoints = thread.checkpoints.filter(({ metadata }) => metadata.run_id === runId)
  const [before, after] = [checkpoints[1], checkpoints.at(-1)].map(
    (each) => each?.values.messages.toArray().map(({ id }) => id) ?? [],
  )
  return after?.filter((id) => !before?.includes(id)) ?? []
}

function interruptsSlowRun({ strategy, inFlight }: Creation): boolean {
  return strategy === 'interrupt' && inFlight.some(({ run }) => isSlow(run))
}

/** Chooses the runs that interrupt another one, by how many of their thread have done so until then. */
function interruptingRun(isChosen: (count: number) => boolean): (creation: Creation) => boolean {
  const counts = new Map<string, number>()
  return ({ strategy, threadId, inFlight }) => {
    if (strategy !== 'interrupt' || inFlight.length === 0) return false
    const count = (counts.get(threadId) ?? 0) + 1
    counts.set(threadId, count)
    return isChosen(count)
  }
}

/** Runs of `slow` on other threads when a run with `interrupt` is created. */
function watchOtherThreads(policies: Policies) {
  const slowRuns = new Set<Run>()
  const affected = new Set<string>()
  const presentRun: Policies['presentRun'] = (run, dialect) => {
    if (isSlow(run) && run.multitask_strategy === 'interrupt') slowRuns.add(run)
    return policies.presentRun(run, dialect)
  }
  const watched = watchCreations(policies, ({ strategy, threadId }) => {
    if (strategy !== 'interrupt') return
    for (const { run_id, thread_id, outcome } of slowRuns) {
      if (thread_id !== threadId && outcome === undefined) affected.add(run_id)
    }
  })
  return { affected, watched: { ...policies, ...watched, presentRun } }
}

export const interruptMutants: readonly Mutant[] = mutantsOf({
  'multitask.interrupt.refused': {
    defect: 'interrupt on a busy thread behaves like reject',
    requirements: ['multitask.interrupt.accepted'],
    policies: ({ multitask }) => ({ multitask: { ...multitask, interrupt: multitask.reject } }),
  },
  'multitask.interrupt.answered-as-running': {
    defect: 'the creation of a run that interrupts another returns the status running',
    requirements: ['multitask.interrupt.new-run-pending'],
    alsoFails: { 'run.create.status-pending': 'so it is on a thread that is idle again' },
    wrap: respondAsRunning,
  },
  'multitask.interrupt.behaves-like-enqueue': {
    defect: 'interrupt on a busy thread behaves like enqueue',
    requirements: ['multitask.interrupt.earlier-interrupted'],
    policies: ({ multitask }) => ({ multitask: { ...multitask, interrupt: multitask.enqueue } }),
  },
  'multitask.interrupt.ends-as-error': {
    defect: 'an interrupted run ends with status error',
    requirements: ['multitask.interrupt.earlier-interrupted'],
    policies: (policies) =>
      changeShownStatus(policies, ({ status }) => (status === 'interrupted' ? 'error' : undefined)),
  },
  'multitask.interrupt.shown-as-success-later': {
    defect: 'an interrupted run has the status success after it was read twice',
    requirements: ['multitask.interrupt.finished-status-stays'],
    policies: (policies) => {
      const reads = new Map<Run, number>()
      return changeShownStatus(policies, (run) => {
        if (run.status !== 'interrupted') return undefined
        const count = (reads.get(run) ?? 0) + 1
        reads.set(run, count)
        return count > 2 ? 'success' : undefined
      })
    },
  },
  'multitask.interrupt.behaves-like-rollback': {
    defect: 'interrupt deletes the earlier run and its outputs',
    requirements: ['multitask.interrupt.earlier-kept', 'multitask.interrupt.partial-outputs-stay'],
    policies: ({ multitask }) => ({ multitask: { ...multitask, interrupt: multitask.rollback } }),
    alsoFails: { 'multitask.interrupt.both-inputs': 'the input is deleted with the run' },
  },
  'multitask.interrupt.run-deleted': {
    defect: 'interrupt deletes the earlier run but keeps its outputs',
    requirements: ['multitask.interrupt.earlier-kept'],
    policies: (policies) =>
      changeStrategy(policies, 'interrupt', ({ jobs }, usual) => {
        usual()
        for (const { run, thread } of jobs) thread.runs.delete(run.run_id)
      }),
  },
  'multitask.interrupt.run-not-found': {
    defect: 'GET of an interrupted run returns 404, but the list of runs contains it',
    requirements: ['multitask.interrupt.earlier-kept'],
    wrap: respondInstead(getRun, async (request, fetch) => {
      const response = await fetch(request)
      const run = (await response.clone().json()) as { status: string }
      return run.status === 'interrupted' ? Response.json({ detail: 'not found' }, { status: 404 }) : response
    }),
  },
  'multitask.interrupt.not-listed': {
    defect: 'the list of runs omits interrupted runs',
    requirements: ['multitask.interrupt.earlier-listed'],
    wrap: changeResponse(listRuns, (runs) =>
      (runs as { status: string }[]).filter(({ status }) => status !== 'interrupted'),
    ),
  },
  'multitask.interrupt.two-not-listed': {
    defect: 'the list of runs omits interrupted runs if there are several',
    requirements: ['multitask.interrupt.earlier-listed'],
    wrap: changeResponse(listRuns, (body) => {
      const runs = body as readonly { status: string }[]
      const others = runs.filter(({ status }) => status !== 'interrupted')
      return others.length < runs.length - 1 ? others : runs
    }),
  },
  'multitask.interrupt.not-listed-later': {
    defect: 'the list of runs omits interrupted runs once there are three runs',
    requirements: ['multitask.interrupt.earlier-listed'],
    wrap: changeResponse(listRuns, (body) => {
      const runs = body as readonly { status: string }[]
      return runs.length > 2 ? runs.filter(({ status }) => status !== 'interrupted') : runs
    }),
  },
  'multitask.interrupt.outputs-lost': {
    defect: 'the outputs of an interrupted run are deleted',
    requirements: ['multitask.interrupt.partial-outputs-stay'],
    policies: (policies) =>
      changeStrategy(policies, 'interrupt', ({ jobs }, usual) => {
        usual()
        for (const { run, thread } of jobs) {
          const checkpoints = thread.checkpoints.filter(({ metadata }) => metadata.run_id === run.run_id)
          thread.checkpoints = thread.checkpoints.filter((each) => !checkpoints.slice(2).includes(each))
        }
      }),
  },
  'multitask.interrupt.state-of-before': {
    defect: 'the input and outputs of an interrupted run are deleted',
    requirements: ['multitask.interrupt.partial-outputs-stay'],
    policies: (policies) =>
      changeStrategy(policies, 'interrupt', ({ jobs }, usual) => {
        usual()
        const ids = new Set(jobs.map(({ run }) => run.run_id))
        for (const { thread } of jobs) {
          thread.checkpoints = thread.checkpoints.filter(({ metadata }) => !ids.has(metadata.run_id ?? ''))
        }
      }),
    alsoFails: { 'multitask.interrupt.both-inputs': 'the input of the interrupted run is deleted too' },
  },
  'multitask.interrupt.input-lost': {
    defect: 'the input of an interrupted run is deleted',
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
  'multitask.interrupt.waits-for-the-end': {
    defect: 'interrupt waits until the earlier run has executed all its steps',
    requirements: ['multitask.interrupt.later-steps-left-out'],
    policies: (policies) => {
      const interruptedRuns = new Set<Run>()
      return {
        ...changeStrategy(policies, 'interrupt', ({ jobs }) => {
          for (const { run } of jobs) interruptedRuns.add(run)
        }),
        ...changeShownStatus(policies, (run) => (run.outcome && interruptedRuns.has(run) ? 'interrupted' : undefined)),
      }
    },
  },
  'multitask.interrupt.earlier-goes-on': {
    defect: 'an interrupted run continues next to the new run',
    requirements: ['multitask.interrupt.outputs-follow', 'multitask.interrupt.later-steps-left-out'],
    alsoFails: {
      'state.metadata.run_id.same': 'the interrupted run writes the newest checkpoint',
      'state.metadata.graph_id.same': 'the interrupted run writes the latest state after the new run',
      'state.metadata.assistant_id.same': 'the interrupted run writes the latest state after the new run',
    },
    policies: (policies) => {
      const interruptedRuns = new Set<Run>()
      return {
        ...changeStrategy(policies, 'interrupt', ({ jobs }) => {
          for (const { run } of jobs) interruptedRuns.add(run)
        }),
        ...changeShownStatus(policies, (run) => (interruptedRuns.has(run) ? 'interrupted' : undefined)),
        ...changeShownMessages(policies, (_messages, thread) => allMessages(thread)),
        chooseNext: (queued, executing) => {
          const next = queued[0]
          const { run } = (next ?? {}) as Partial<ActiveRun>
          return executing === 0 || run?.multitask_strategy === 'interrupt' ? next : undefined
        },
      }
    },
  },
  'multitask.interrupt.new-run-stopped': {
    defect: 'the first run that interrupts another ends with status error',
    requirements: ['multitask.interrupt.new-run-succeeds'],
    policies: (policies) =>
      failRuns(
        policies,
        interruptingRun((count) => count === 1),
      ),
  },
  'multitask.interrupt.new-outputs-dropped': {
    defect: 'the outputs of a run that interrupts another are not stored',
    requirements: ['multitask.interrupt.new-outputs'],
    policies: (policies) => silenceRuns(policies, interruptsSlowRun, 'second'),
  },
  'multitask.interrupt.partial-outputs-late': {
    defect: 'the outputs of an interrupted run come after those of the new run',
    requirements: ['multitask.interrupt.outputs-follow'],
    policies: (policies) =>
      changeShownMessages(policies, (messages, thread) => {
        const interruptedRuns = [...thread.runs.values()].filter(({ status }) => status === 'interrupted')
        return interruptedRuns.length === 1 ? moveToEnd(messages, (message) => isOutput(message, 'before')) : messages
      }),
  },
  'multitask.interrupt.repeated.history-of-one': {
    defect: 'of several interrupted runs, only the last one is kept',
    requirements: ['multitask.interrupt.repeated.each-kept'],
    policies: (policies) =>
      changeStrategy(policies, 'interrupt', ({ jobs }, usual) => {
        usual()
        for (const { thread } of jobs) {
          // One request may interrupt several runs.
          const now = new Set(jobs.map((job) => job.run))
          const others = [...thread.runs.values()].filter((each) => each.status === 'interrupted' && !now.has(each))
          for (const { run_id } of others) thread.runs.delete(run_id)
        }
      }),
  },
  'multitask.interrupt.repeated.second-as-error': {
    defect: 'the second interrupted run of a thread ends with status error',
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
  'multitask.interrupt.repeated.outputs-overwritten': {
    defect: 'a second interruption restores the state of the first one',
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
  'multitask.interrupt.repeated.last-as-error': {
    defect: 'the last run after several interruptions ends with status error',
    requirements: ['multitask.interrupt.repeated.last-succeeds'],
    policies: (policies) =>
      failRuns(
        policies,
        interruptingRun((count) => count > 1),
      ),
  },
  'multitask.interrupt.repeated.reversed': {
    defect: 'the outputs of several interrupted runs are in reverse order',
    requirements: ['multitask.interrupt.repeated.in-order'],
    policies: (policies) =>
      changeShownMessages(policies, (messages, thread) => {
        const interruptedRuns = [...thread.runs.values()].filter(({ status }) => status === 'interrupted')
        if (interruptedRuns.length < 2) return messages
        const reversed = messages.filter((message) => isOutput(message, 'before')).toReversed()
        return messages.map((message) => (isOutput(message, 'before') ? (reversed.shift() ?? message) : message))
      }),
  },
  'multitask.interrupt.finished-run-called-interrupted': {
    defect: 'interrupt marks the newest run of the thread as interrupted although it has ended',
    requirements: ['multitask.interrupt.finished-status-stays'],
    policies: (policies) => {
      const finished = new Set<string>()
      return {
        ...watchCreations(policies, ({ strategy, inFlight, before }) => {
          if (strategy === 'interrupt' && inFlight.length === 0) for (const id of before.slice(-1)) finished.add(id)
        }),
        ...changeShownStatus(policies, replaceSuccess('interrupted', finished)),
      }
    },
  },
  'multitask.interrupt.finished-run-rolled-back': {
    defect: 'interrupt on an idle thread restores the state before its last run',
    requirements: ['multitask.interrupt.finished-outputs-stay'],
    alsoFails: { 'service.thread.keeps-conversation': 'a state that is read while the new run executes shows it, too' },
    policies: (policies) => {
      const finished = new Set<string>()
      return {
        ...watchCreations(policies, ({ strategy, inFlight, before }) => {
          if (strategy === 'interrupt' && inFlight.length === 0) for (const id of before.slice(-1)) finished.add(id)
        }),
        ...changeShownMessages(policies, (messages, thread) => {
          const lost = new Set([...finished].flatMap((id) => outputs(thread, id)))
          return messages.filter(({ id }) => !lost.has(id))
        }),
      }
    },
  },
  'multitask.interrupt.other-threads-stopped': {
    defect: 'interrupt also marks runs of the same graph on other threads as interrupted',
    requirements: ['multitask.interrupt.other-threads-status'],
    alsoFails: {
      'service.multitask.new-run-decides': 'a run with a queued run behind it ends as interrupted',
    },
    policies: (policies) => {
      const { affected, watched } = watchOtherThreads(policies)
      return { ...watched, ...changeShownStatus(watched, replaceSuccess('interrupted', affected)) }
    },
  },
  'multitask.interrupt.other-threads-outputs-lost': {
    defect: 'after interrupt, runs of the same graph on other threads lose their later outputs',
    requirements: ['multitask.interrupt.other-threads-outputs'],
    alsoFails: {
      'message.answer.stored': 'the state lacks the later outputs of a run that nothing interrupts',
      'run.status.results-after-join': 'the lost outputs are missing after a join, too',
    },
    policies: (policies) => {
      const { affected, watched } = watchOtherThreads(policies)
      return { ...watched, ...dropOutputs(watched, (runId) => affected.has(runId), 'after') }
    },
  },
})
