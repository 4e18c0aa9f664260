import type { Thread } from '../../../mock-server/deployment/records.ts'
import { ApiError } from '../../../mock-server/http/errors.ts'
import type { JsonObject } from '../../../mock-server/http/fields.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { createRun, getRun, jsonBody, pathIds, rejectRequest, streamRun } from '../../wrappers/requests.ts'
import { combine } from '../../wrappers/responses.ts'
import { changeResponse, changeStream, respondInstead } from '../../wrappers/routes.ts'
import { changeStrategy, neverStart } from '../multitask.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { showState } from '../show-state.ts'

/** After a refused request for a run, or for a stream, on a thread, shows its later runs as pending. */
function lockAfter(isConcerned: (status: number, assistantId: unknown) => boolean, route = createRun): Wrap {
  return (fetch) => {
    const locked = new Set<string>()
    const stuck = new Set<unknown>()
    return combine(
      changeResponse(createRun, (run, request) => {
        if (locked.has(pathIds(request).threadId)) stuck.add(Object(run)['run_id'])
        return run
      }),
      respondInstead(route, async (request, inner) => {
        const { assistant_id: assistantId } = await jsonBody(request)
        const { threadId } = pathIds(request)
        const response = await inner(request)
        if (!response.ok && isConcerned(response.status, assistantId)) locked.add(threadId)
        return response
      }),
      changeResponse(getRun, (run) => {
        const shown = Object(run) as JsonObject
        return stuck.has(shown['run_id']) ? { ...shown, status: 'pending' } : run
      }),
    )(fetch)
  }
}

/** Makes a wrapper that knows whether a thread has had a run of the graph `fail`. */
function afterFailure(make: (hasFailed: (request: Request) => boolean) => Wrap): Wrap {
  return (fetch) => {
    const threads = new Set<string>()
    const wrapped = make((request) => threads.has(pathIds(request).threadId))(fetch)
    return respondInstead(createRun, async (request) => {
      const { assistant_id: assistantId } = await jsonBody(request)
      const response = await wrapped(request)
      if (assistantId === 'fail') threads.add(pathIds(request).threadId)
      return response
    })(wrapped)
  }
}

/** Changes the state of idle threads on which a run was interrupted. */
function showAfterInterruption(change: (state: JsonObject, interrupted: string) => JsonObject) {
  return showState((show) => (thread) => {
    const state = show(thread)
    const interrupted = runsOf(thread).find(({ status }) => status === 'interrupted')
    return interrupted && thread.status === 'idle' ? change(state, interrupted.run_id) : state
  })
}

const runsOf = (thread: Thread) => [...thread.runs.values()]

/** Runs that failed or were interrupted, and refused requests, that affect later runs of their thread. */
export const laterRunMutants: readonly Mutant[] = mutantsOf({
  'multitask.enqueue.stuck-behind-failure': {
    defect: 'a run that is queued behind a run that fails stays pending',
    requirements: ['multitask.enqueue.executes'],
    policies: (policies) =>
      neverStart(policies, ({ inFlight }) =>
        inFlight.some(({ run }) => run.kwargs.config.configurable.graph_id === 'fail'),
      ),
  },
  'run.status.nothing-stored-after-failure': {
    defect: 'after a run has failed, later runs of the thread add nothing to the state',
    requirements: ['run.status.results-in-state'],
    policies: ({ saveCheckpoint }) => ({
      saveCheckpoint: (thread, checkpoint) => {
        const { run_id, writes } = checkpoint.metadata
        const hasFailed = runsOf(thread).some((run) => run.status === 'error' && run.run_id !== run_id)
        const isOutput = Object.keys(writes).some((name) => name !== '__start__')
        if (!hasFailed || !isOutput) saveCheckpoint(thread, checkpoint)
      },
    }),
  },
  'run.list.failed-missing': {
    defect: 'the list of runs omits failed runs',
    requirements: ['run.list.every-run'],
    policies: ({ listRuns }) => ({
      listRuns: (runs, isWanted, page) => listRuns(runs, (run) => isWanted(run) && run.status !== 'error', page),
    }),
  },
  'multitask.reject.refuses-after-failure': {
    defect: 'a thread on which a run has failed refuses all later runs with reject',
    requirements: ['multitask.reject.accepted-when-idle'],
    wrap: afterFailure((hasFailed) =>
      rejectRequest(createRun, (body, request) => body['multitask_strategy'] === 'reject' && hasFailed(request), 409),
    ),
  },
  'stream.updates.none-after-failure': {
    defect: 'on a thread on which a run has failed, streams have no updates',
    requirements: ['stream.updates.sent'],
    wrap: afterFailure((hasFailed) =>
      changeStream(streamRun, (request) => {
        const isSilent = hasFailed(request)
        return (frames) => frames.filter(({ event }) => !isSilent || event !== 'updates')
      }),
    ),
  },
  'run.status.locked-by-unknown-assistant': {
    defect: 'after a refused run of an unknown assistant, later runs of the thread stay pending',
    requirements: ['run.status.ends'],
    wrap: lockAfter((status, assistantId) => status === 404 && typeof assistantId === 'string'),
  },
  'run.status.locked-by-refused-stream': {
    defect: 'after a refused stream request for an unknown assistant, later runs of the thread stay pending',
    requirements: ['run.status.ends'],
    wrap: lockAfter((status, assistantId) => status === 404 && typeof assistantId === 'string', streamRun),
  },
  'run.status.locked-by-invalid-body': {
    defect: 'after a refused run without `assistant_id`, later runs of the thread stay pending',
    requirements: ['run.status.ends'],
    wrap: lockAfter((_, assistantId) => assistantId === undefined),
  },
  'run.status.locked-by-401': {
    defect: 'after a run was refused with 401, later runs of the thread stay pending',
    requirements: ['multitask.enqueue.executes'],
    profile: 'custom-auth',
    wrap: lockAfter((status) => status === 401),
  },
  'multitask.reject.locks-thread': {
    defect: 'after a refused run with reject, later runs of the thread stay pending',
    requirements: ['multitask.reject.later-run-succeeds'],
    alsoFails: {
      'multitask.enqueue.executes': 'later runs with the strategy enqueue stay pending',
      'multitask.interrupt.new-run-succeeds': 'later runs with the strategy interrupt stay pending',
    },
    wrap: lockAfter((status) => status === 409),
  },
  'multitask.reject.stops-stream': {
    defect: 'a refused run with reject stops the streamed run that executes on the thread',
    requirements: ['stream.run.success'],
    alsoFails: { 'stream.updates.each-node': 'the stream ends with the run' },
    policies: (policies) =>
      changeStrategy(policies, 'reject', ({ jobs, interrupt }, applyDefault) => {
        for (const job of [...jobs]) if (job.run.kwargs.stream_mode.includes('updates')) interrupt(job)
        if (jobs.length > 0) throw new ApiError('thread-busy', 'Thread is already running a task')
        applyDefault()
      }),
  },
  'state.interrupted-next-kept': {
    defect: 'after an interruption, `next` and `tasks` keep the stopped node although a later run has succeeded',
    requirements: ['state.fields.next.empty', 'state.fields.tasks.empty'],
    policies: showAfterInterruption((state) => ({ ...state, next: ['sleep'], tasks: [{ id: '1', name: 'sleep' }] })),
  },
  'state.run-id-of-newest': {
    defect: 'while a run executes, `run_id` in the metadata of the state is that of the newest run, which is queued',
    requirements: ['state.metadata.run_id.same'],
    policies: showState((show) => (thread) => {
      const state = show(thread)
      const newest = runsOf(thread).at(-1)
      if (newest?.status !== 'pending') return state
      return { ...state, metadata: { ...Object(state['metadata']), run_id: newest.run_id } }
    }),
  },
  'state.interrupted-writes-kept': {
    defect: 'after an interruption, `writes` in the metadata of the state names a node of the interrupted run',
    requirements: ['state.metadata.writes.node-names'],
    policies: showAfterInterruption((state) => ({
      ...state,
      metadata: { ...Object(state['metadata']), writes: { before: { messages: [] } } },
    })),
  },
  'state.interrupted-run-id-kept': {
    defect: 'after an interruption, `run_id` in the metadata of the state is that of the interrupted run',
    requirements: ['state.metadata.run_id.same'],
    policies: showAfterInterruption((state, run_id) => ({
      ...state,
      metadata: { ...Object(state['metadata']), run_id },
    })),
  },
})
