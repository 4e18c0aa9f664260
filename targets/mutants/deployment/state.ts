import type { Checkpoint } from '../../../mock-server/deployment/checkpoint.ts'
import type { JsonObject } from '../../../mock-server/http/fields.ts'
import type { Fetch, Wrap } from '../../wrappers/fetch.ts'
import { createRun, errorResponse, getState, pathIds } from '../../wrappers/requests.ts'
import { changeAt, changeResponse, matchesRoute, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { messagesIn, showState } from '../show-state.ts'
import { shifted } from '../values.ts'

/** Changes the metadata of states. */
function changeMetadata(change: (metadata: JsonObject) => JsonObject): Wrap {
  return changeResponse(getState, (state) =>
    changeAt(state, ['metadata'], (metadata) => change(metadata as JsonObject)),
  )
}

/** Replaces fields in the metadata of states by those of the first checkpoint of the thread. */
function showOrigin(change: (first: Checkpoint['metadata'], latest: JsonObject) => JsonObject) {
  return showState((show) => (thread) => {
    const state = show(thread)
    const first = thread.checkpoints[0]?.metadata
    const metadata = state['metadata'] as JsonObject
    return first === undefined ? state : { ...state, metadata: { ...metadata, ...change(first, metadata) } }
  })
}

export const stateMutants: readonly Mutant[] = mutantsOf({
  'state.writes.by-task': {
    defect: 'writes is keyed by task ids instead of node names',
    requirements: ['state.metadata.writes.node-names'],
    alsoFails: { 'state.idle.checkpoint': 'each read shows other ids' },
    wrap: changeMetadata(({ writes, ...metadata }) => ({
      ...metadata,
      writes: Object.fromEntries(Object.values(Object(writes)).map((value) => [crypto.randomUUID(), value])),
    })),
  },
  'state.writes.by-channel': {
    defect: 'writes is keyed by channel names instead of node names',
    requirements: ['state.metadata.writes.node-names'],
    wrap: changeMetadata((metadata) => {
      const [written] = Object.values(Object(metadata['writes']))
      return { ...metadata, writes: Object(written) }
    }),
  },
  'state.created-at.local': {
    defect: '`created_at` of a state is a local time of another time zone, marked as UTC',
    requirements: ['state.time-current'],
    wrap: changeResponse(getState, (state) => changeAt(state, ['created_at'], (time) => shifted(time, 2))),
  },
  'state.parent-of-other': {
    defect: 'the parent of a checkpoint is the latest one of another thread',
    requirements: ['state.parent-checkpoint-id.own-thread'],
    policies: ({ saveCheckpoint }) => {
      const saved: { readonly thread: unknown; readonly id: string }[] = []
      return {
        saveCheckpoint: (thread, checkpoint) => {
          const other = saved.findLast((each) => each.thread !== thread)
          saved.push({ thread, id: checkpoint.checkpoint_id })
          saveCheckpoint(thread, { ...checkpoint, parent_checkpoint_id: other?.id ?? checkpoint.parent_checkpoint_id })
        },
      }
    },
  },
  'state.get.broken': {
    defect: 'GET /threads/{thread_id}/state always fails',
    requirements: ['state.get.answers-state'],
    wrap: respondInstead(getState, async () => errorResponse(500)),
  },
  'state.get.longest-run': {
    defect: 'the state is the checkpoint with the highest step, and steps are counted in each run',
    requirements: ['state.get.latest'],
    alsoFails: { 'stream.updates.id-as-stored': 'an earlier run has the same message' },
    policies: () => ({
      stateView: ({ checkpoints }) => {
        const ids = checkpoints.map(({ metadata }) => metadata.run_id)
        const stepOf = (index: number) => index - ids.indexOf(ids[index] ?? '')
        const highest = Math.max(...ids.map((_, index) => stepOf(index)))
        return checkpoints.find((_, index) => stepOf(index) === highest)
      },
    }),
  },
  'state.get.answers-history': {
    defect: 'GET /threads/{thread_id}/state returns the state in an array',
    requirements: ['state.get.answers-state'],
    wrap: changeResponse(getState, (state) => [state]),
  },
  'state.get.enveloped': {
    defect: 'GET /threads/{thread_id}/state returns an object that contains the state',
    requirements: ['state.get.answers-state'],
    wrap: changeResponse(getState, (state) => ({ state })),
  },
  'state.get.mixed-with-another': {
    defect: 'the state of a thread after its first run contains the messages of the thread that was read before',
    requirements: ['state.get.that-thread'],
    alsoFails: {
      'message.no-others': 'two threads may have the same messages, which are duplicated then',
      'multitask.governed-by-strategy': 'its threads have the same messages, which are duplicated',
    },
    policies: showState((show) => {
      const foreign = new Map<string, readonly unknown[]>()
      let previous: readonly unknown[] = []
      return (thread) => {
        const state = show(thread)
        const messages = messagesIn(state)
        const ranOnce = thread.status !== 'busy' && thread.runs.size === 1
        if (ranOnce && !foreign.has(thread.thread_id)) {
          foreign.set(thread.thread_id, previous)
          previous = messages
        }
        return changeAt(state, ['values', 'messages'], () => [...(foreign.get(thread.thread_id) ?? []), ...messages])
      }
    }),
  },
  'state.checkpoint-id.constant': {
    defect: 'all states of a thread have the same checkpoint_id',
    requirements: ['state.checkpoint-id.changes'],
    alsoFails: { 'state.parent-checkpoint-id.other': 'the parent has the same id, too' },
    wrap: changeResponse(getState, (state, request) => {
      const { threadId } = pathIds(request)
      changeAt(state, ['checkpoint_id'], (id) => id && threadId)
      return changeAt(state, ['parent_checkpoint_id'], (id) => id && threadId)
    }),
  },
  'state.parent-checkpoint-id.own': {
    defect: 'a state is its own parent',
    requirements: ['state.parent-checkpoint-id.other'],
    wrap: changeResponse(getState, (state) =>
      changeAt(state, ['parent_checkpoint_id'], (id) => id && Object(state).checkpoint_id),
    ),
  },
  'state.get.concurrent-of-another': {
    defect: 'a read of a state during another one returns the state that the latest request names',
    requirements: ['state.get.that-thread'],
    alsoFails: {
      'state.get.answers-state': 'a user cannot read the thread of another one',
      'thread.kept': 'a user cannot read the thread of another one',
    },
    nondeterministic: 'which reads are concurrent depends on timing',
    profile: 'custom-auth',
    wrap: (fetch) => {
      let latest: Request | undefined
      let open = 0
      return respondInstead(getState, async (request) => {
        latest = request
        open++
        await new Promise(setImmediate)
        const response = await fetch(open > 1 ? latest : request)
        open--
        return response
      })(fetch)
    },
  },
  'state.get.fresh-of-another': {
    defect: 'the state of a thread without runs is that of the thread that ran last',
    requirements: ['state.get.that-thread'],
    policies: showState((show) => {
      let last: JsonObject | undefined
      return (thread) => {
        if (thread.runs.size === 0) return last ?? show(thread)
        const state = show(thread)
        if (messagesIn(state).length > 2) last = state
        return state
      }
    }),
  },
  'state.metadata.of-first-graph': {
    defect: 'the metadata of a state names the graph of the first run of the thread',
    requirements: ['state.metadata.graph_id.same'],
    policies: showOrigin(({ graph_id }) => ({ graph_id })),
  },
  'state.metadata.of-first-assistant-of-graph': {
    defect: 'the metadata of a state names the first assistant of the same graph that ran on the thread',
    requirements: ['state.metadata.assistant_id.same'],
    policies: showOrigin(({ graph_id, assistant_id }, latest) =>
      graph_id === latest['graph_id'] ? { assistant_id } : {},
    ),
  },
  'state.get.cached': {
    defect: 'the cached state of an idle thread is not updated by a later run of the same assistant',
    requirements: ['state.get.latest'],
    alsoFails: {
      'run.status.results-in-state': 'a run follows one that failed',
      'stream.updates.id-as-stored': 'the old state lacks the messages of the stream',
    },
    policies: showState((show) => {
      const cache = new Map<string, JsonObject>()
      return (thread, checkpoint) => {
        if (thread.status === 'busy' || checkpoint === undefined) return show(thread)
        const key = `${thread.thread_id} ${checkpoint.metadata.assistant_id}`
        const state = cache.get(key) ?? show(thread)
        cache.set(key, state)
        return state
      }
    }),
  },
  'state.next.of-failed-run': {
    defect: 'after a failed run, `next` names its node although a later run has succeeded',
    requirements: ['state.fields.next.empty'],
    policies: showState((show) => (thread) => {
      const state = show(thread)
      const statuses = [...thread.runs.values()].map(({ status }) => status)
      const isKept = statuses.includes('error') && statuses.at(-1) === 'success'
      return isKept ? { ...state, next: ['boom'] } : state
    }),
  },
  'state.get.cached-until-next-run': {
    defect: 'a state is cached until the next run is created on its thread, also while a run executes',
    requirements: ['state.get.latest'],
    alsoFails: {
      'run.status.results-in-state': 'a run follows one that failed',
      'stream.updates.id-as-stored': 'the old state lacks the messages of the stream',
    },
    wrap: (fetch) => {
      const cache = new Map<string, unknown>()
      const forgetful: Fetch = (request) => {
        if (matchesRoute(request, createRun)) cache.delete(pathIds(request).threadId)
        return fetch(request)
      }
      return changeResponse(getState, (state, request) => {
        const { threadId } = pathIds(request)
        const shown = cache.get(threadId) ?? state
        cache.set(threadId, shown)
        return structuredClone(shown)
      })(forgetful)
    },
  },
})
