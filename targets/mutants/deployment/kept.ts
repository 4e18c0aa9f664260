import { errorResponse, getRun, getState, listRuns, pathIds } from '../../wrappers/requests.ts'
import { changeAt, changeResponse, respondInstead } from '../../wrappers/routes.ts'
import { changeShownMessages } from '../multitask.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeMessages } from '../show-state.ts'
import { changeUpdates, update } from '../streams.ts'

/** Returns a run whose creation time is that of its last update. */
function createdWhenUpdated(run: unknown): unknown {
  return changeAt(run, ['created_at'], () => Object(run)['updated_at'])
}

/** Changes the messages in updates of streams. */
function changeUpdated(path: readonly string[], change: (value: unknown) => unknown) {
  return changeUpdates((node, value) => [update(node, changeAt(value, ['messages', '*', ...path], change))])
}

export const keptMutants: readonly Mutant[] = mutantsOf({
  'thread.in-one-process': {
    defect: 'threads are kept in the memory of one of two processes, which read states in turn',
    requirements: ['thread.kept'],
    wrap: (fetch) => {
      const counts = new Map<string, number>()
      return respondInstead(getState, async (request, next) => {
        const { threadId } = pathIds(request)
        const count = (counts.get(threadId) ?? 0) + 1
        counts.set(threadId, count)
        return count % 2 === 0 ? errorResponse(404) : next(request)
      })(fetch)
    },
  },
  'run.get.created-when-updated': {
    defect: 'GET of a run returns the time of the last update as the creation time',
    requirements: ['run.get.as-created'],
    wrap: changeResponse(getRun, createdWhenUpdated),
  },
  'run.list.created-when-updated': {
    defect: 'the list of runs shows the time of the last update as the creation time',
    requirements: ['run.list.as-created'],
    wrap: changeResponse(listRuns, (runs) => (runs as unknown[]).map(createdWhenUpdated)),
  },
  'state.message-ids-of-read': {
    defect: 'each read of a state gives the messages new ids',
    requirements: ['state.idle.messages'],
    alsoFails: { 'stream.updates.id-as-stored': 'a stored message has another id than the one in the stream' },
    wrap: changeMessages((messages) => messages.map((message) => ({ ...message, id: crypto.randomUUID() }))),
  },
  'state.checkpoint-of-read': {
    defect: 'each read of a state shows a new checkpoint',
    requirements: ['state.idle.checkpoint'],
    wrap: changeResponse(getState, (state) => changeAt(state, ['checkpoint_id'], () => crypto.randomUUID())),
  },
  'message.renamed-later': {
    defect: 'messages get another name once a later run has ended',
    requirements: ['message.kept'],
    wrap: changeMessages((messages) =>
      messages.map((message, index) => (index < messages.length - 4 ? { ...message, name: 'earlier' } : message)),
    ),
  },
  'message.ids-of-each-run': {
    defect: 'messages are numbered in each run, so that those of a later run replace earlier ones with the same number',
    requirements: ['message.kept'],
    alsoFails: { 'stream.updates.id-as-stored': 'the messages in a stream are not numbered' },
    policies: (policies) =>
      changeShownMessages(policies, (messages, { checkpoints }) => {
        const runs = new Map<string, unknown>()
        for (const { values, metadata } of checkpoints)
          for (const { id } of values.messages.toArray()) runs.set(id, runs.get(id) ?? metadata.run_id)
        const counts = new Map<unknown, number>()
        const byId = new Map<string, (typeof messages)[number]>()
        for (const message of messages) {
          const count = (counts.get(runs.get(message.id)) ?? 0) + 1
          counts.set(runs.get(message.id), count)
          byId.set(`message-${count}`, { ...message, id: `message-${count}` })
        }
        return [...byId.values()]
      }),
  },
  'stream.updates.call-without-arguments': {
    defect: 'tool calls in updates have no arguments',
    requirements: ['stream.updates.parts-as-stored'],
    wrap: changeUpdated(['tool_calls', '*', 'args'], () => ({})),
  },
  'stream.updates.other-ids': {
    defect: 'messages in updates have other ids than the stored messages',
    requirements: ['stream.updates.id-as-stored'],
    wrap: changeUpdated(['id'], () => crypto.randomUUID()),
  },
})
