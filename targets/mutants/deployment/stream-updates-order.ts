import type { Wrap } from '../../wrappers/fetch.ts'
import { jsonBody, streamRun } from '../../wrappers/requests.ts'
import { changeEvents, changeStream, type Frame, matchesRoute } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeUpdates, update, updatesIn } from '../streams.ts'

const nodeOf = (frame: Frame): string | undefined => updatesIn(frame)?.[0]?.[0]

/** Limits a defect to the streams of one graph. */
function forGraph(graph: string, defect: Wrap): Wrap {
  return (fetch) => async (request) => {
    const matches = matchesRoute(request, streamRun) && (await jsonBody(request))['assistant_id'] === graph
    return (matches ? defect(fetch) : fetch)(request)
  }
}

/** Sends the update of a node after that of a later one. */
function sendAfter(late: string, next: string) {
  return changeStream(streamRun, () => {
    let delayed: readonly Frame[] = []
    return (frames, ended) => {
      const current = frames.filter((frame) => nodeOf(frame) !== late)
      delayed = [...delayed, ...frames.filter((frame) => nodeOf(frame) === late)]
      if (!ended && !current.some((frame) => nodeOf(frame) === next)) return current
      const sent = [...current, ...delayed]
      delayed = []
      return sent
    }
  })
}

export const streamUpdatesOrderMutants: readonly Mutant[] = mutantsOf({
  'stream.updates.last-dropped': {
    defect: 'the stream omits the update of the last node',
    requirements: ['stream.updates.each-node'],
    wrap: changeUpdates((node, value) => (['second', 'after', 'answer'].includes(node) ? [] : [update(node, value)])),
  },
  'stream.updates.unchanged-dropped': {
    defect: 'the stream omits the update of a node without changes',
    requirements: ['stream.updates.each-node'],
    wrap: changeUpdates((node, value) => (node === 'sleep' ? [] : [update(node, value)])),
  },
  'stream.updates.first-dropped': {
    defect: 'the stream omits the update of the first node',
    requirements: ['stream.updates.each-node'],
    wrap: changeUpdates((node, value) => (['first', 'before', 'plan'].includes(node) ? [] : [update(node, value)])),
  },
  'stream.updates.twice': {
    defect: 'every updates event is sent twice',
    requirements: ['stream.updates.once-a-node'],
    wrap: changeUpdates((node, value) => [update(node, value), update(node, value)]),
  },
  'stream.updates.again-at-end': {
    defect: 'the last update is sent again at the end of a stream',
    requirements: ['stream.updates.once-a-node'],
    wrap: changeStream(streamRun, () => {
      let last: readonly Frame[] = []
      return (frames, ended) => {
        last = [...last, ...frames].filter((frame) => nodeOf(frame) !== undefined).slice(-1)
        return ended ? [...frames, ...last] : frames
      }
    }),
  },
  'stream.updates.swapped': {
    defect: 'the update of the first node comes after that of the second',
    requirements: ['stream.updates.in-order'],
    wrap: sendAfter('first', 'second'),
  },
  'stream.updates.unchanged-late': {
    defect: 'the update of a node without changes comes after that of the next node',
    requirements: ['stream.updates.in-order'],
    wrap: sendAfter('sleep', 'after'),
  },
  'stream.updates.failure-alone': {
    defect: 'the stream of a failing run has only the error event',
    requirements: ['stream.updates.before-failure'],
    wrap: forGraph(
      'fail',
      changeUpdates(() => []),
    ),
  },
  'stream.updates.of-failed-node': {
    defect: 'a node that fails has an update with the value null',
    requirements: ['stream.updates.none-for-failed'],
    wrap: changeEvents(streamRun, (frame) => (frame.event === 'error' ? [update('boom', null), frame] : [frame])),
  },
  'stream.updates.at-end': {
    defect: 'all updates are sent only at the end of the run',
    requirements: ['stream.updates.progressive'],
    wrap: changeStream(streamRun, () => {
      const delayed: Frame[] = []
      return (frames, ended) => {
        delayed.push(...frames.filter((frame) => nodeOf(frame) !== undefined))
        const current = frames.filter((frame) => nodeOf(frame) === undefined)
        return ended ? [...delayed, ...current] : current
      }
    }),
  },
  'stream.updates.one-behind': {
    defect: 'an update is sent only when the next node has finished',
    requirements: ['stream.updates.progressive'],
    wrap: changeStream(streamRun, () => {
      let delayed: readonly Frame[] = []
      return (frames, ended) => {
        const all = [...delayed, ...frames]
        delayed = ended ? [] : all.filter((frame) => nodeOf(frame) !== undefined).slice(-2)
        return all.filter((frame) => !delayed.includes(frame))
      }
    }),
  },
})
