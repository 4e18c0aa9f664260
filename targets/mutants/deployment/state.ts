import type { JsonObject } from '../../../mock-server/http/fields.ts'
import type { Fetch, Mutant } from '../mutant.ts'
import { errorResponse, getState } from '../requests.ts'
import { changeAt, changeResponse, respondInstead } from '../responses.ts'
import { messagesIn, showState } from '../show-state.ts'

/** Changes the metadata of states. */
function changeMetadata(change: (metadata: JsonObject) => JsonObject): (fetch: Fetch) => Fetch {
  return changeResponse(getState, (state) => {
    changeAt(state, ['metadata'], (metadata) => change(metadata as JsonObject))
    return state
  })
}

export const stateMutants: readonly Mutant[] = [
  {
    id: 'state.writes.by-task',
    defect: 'writes is keyed by task ids instead of node names',
    requirements: ['state.metadata.writes.node-names'],
    wrap: changeMetadata(({ writes, ...metadata }) => ({
      ...metadata,
      writes: Object.fromEntries(Object.values(Object(writes)).map((value) => [crypto.randomUUID(), value])),
    })),
  },
  {
    id: 'state.writes.by-channel',
    defect: 'writes is keyed by channel names instead of node names',
    requirements: ['state.metadata.writes.node-names'],
    wrap: changeMetadata((metadata) => {
      const [written] = Object.values(Object(metadata['writes']))
      return { ...metadata, writes: Object(written) }
    }),
  },
  {
    id: 'state.get.broken',
    defect: 'GET /threads/{thread_id}/state always fails',
    requirements: ['state.get.answers-state'],
    wrap: respondInstead(getState, async () => errorResponse(500)),
  },
  {
    id: 'state.get.answers-history',
    defect: 'GET /threads/{thread_id}/state returns the state in an array',
    requirements: ['state.get.answers-state'],
    wrap: changeResponse(getState, (state) => [state]),
  },
  {
    id: 'state.get.mixed-with-another',
    defect: 'the state of a thread after its first run contains the messages of the thread that was read before',
    requirements: ['state.get.that-thread'],
    alsoFails: {
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
        changeAt(state, ['values', 'messages'], () => [...(foreign.get(thread.thread_id) ?? []), ...messages])
        return state
      }
    }),
  },
  {
    id: 'state.get.cached',
    defect: 'the cached state of an idle thread is not updated by a later run of the same assistant',
    requirements: ['state.get.latest'],
    alsoFails: {
      'state.metadata.run_id.same': 'the old state names the earlier run',
      'multitask.enqueue.used-thread.order': 'the old state lacks the messages of later runs',
      'multitask.reject.later-outputs-follow': 'the old state lacks the messages of the later run',
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
]
