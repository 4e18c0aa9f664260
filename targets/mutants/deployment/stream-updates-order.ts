import type { Fetch, Mutant } from '../mutant.ts'
import { jsonBody } from '../requests.ts'
import { changeEvents, changeStream, type Frame, matchesRoute } from '../responses.ts'
import { changeUpdates, streamRun, update, updatesIn } from '../streams.ts'

const nodeOf = (frame: Frame): string | undefined => updatesIn(frame)?.[0]?.[0]

/** Limits a defect to the streams of one graph. */
function ofGraph(graph: string, defect: (fetch: Fetch) => Fetch): (fetch: Fetch) => Fetch {
  return (fetch) => async (request) => {
    const concerned = matchesRoute(request, streamRun) && (await jsonBody(request))['assistant_id'] === graph
    return (concerned ? defect(fetch) : fetch)(request)
  }
}

export const streamUpdatesOrderMutants: readonly Mutant[] = [
  {
    id: 'stream.updates.last-dropped',
    defect: 'the stream omits the update of the last node',
    requirements: ['stream.updates.each-node'],
    wrap: changeUpdates((node, value) => (['second', 'after', 'answer'].includes(node) ? [] : [update(node, value)])),
  },
  {
    id: 'stream.updates.unchanged-dropped',
    defect: 'the stream omits the update of a node without changes',
    requirements: ['stream.updates.each-node'],
    wrap: changeUpdates((node, value) => (node === 'sleep' ? [] : [update(node, value)])),
  },
  {
    id: 'stream.updates.first-dropped',
    defect: 'the stream omits the update of the first node',
    requirements: ['stream.updates.each-node'],
    wrap: changeUpdates((node, value) => (['first', 'before', 'plan'].includes(node) ? [] : [update(node, value)])),
  },
  {
    id: 'stream.updates.twice',
    defect: 'every updates event is sent twice',
    requirements: ['stream.updates.once-a-node'],
    wrap: changeUpdates((node, value) => [update(node, value), update(node, value)]),
  },
  {
    id: 'stream.updates.again-at-end',
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
  {
    id: 'stream.updates.swapped',
    defect: 'the update of the first node comes after that of the second',
    requirements: ['stream.updates.in-order'],
    wrap: changeStream(streamRun, () => {
      let held: readonly Frame[] = []
      return (frames, ended) => {
        const [now, later] = [
          frames.filter((frame) => nodeOf(frame) !== 'first'),
          frames.filter((frame) => nodeOf(frame) === 'first'),
        ]
        held = [...held, ...later]
        const free = ended || now.some((frame) => nodeOf(frame) === 'second')
        const out = free ? [...now, ...held] : now
        if (free) held = []
        return out
      }
    }),
  },
  {
    id: 'stream.updates.unchanged-late',
    defect: 'the update of a node without changes comes after that of the next node',
    requirements: ['stream.updates.in-order'],
    wrap: changeStream(streamRun, () => {
      let held: readonly Frame[] = []
      return (frames, ended) => {
        const now = frames.filter((frame) => nodeOf(frame) !== 'sleep')
        held = [...held, ...frames.filter((frame) => nodeOf(frame) === 'sleep')]
        if (!ended && !now.some((frame) => nodeOf(frame) === 'after')) return now
        const out = [...now, ...held]
        held = []
        return out
      }
    }),
  },
  {
    id: 'stream.updates.failure-alone',
    defect: 'the stream of a failing run has only the error event',
    requirements: ['stream.updates.before-failure'],
    wrap: ofGraph(
      'fail',
      changeUpdates(() => []),
    ),
  },
  {
    id: 'stream.updates.of-failed-node',
    defect: 'a node that fails has an update with the value null',
    requirements: ['stream.updates.none-for-failed'],
    wrap: changeEvents(streamRun, (frame) => (frame.event === 'error' ? [update('boom', null), frame] : [frame])),
  },
  {
    id: 'stream.updates.at-end',
    defect: 'all updates are sent only at the end of the run',
    requirements: ['stream.updates.progressive'],
    wrap: changeStream(streamRun, () => {
      const held: Frame[] = []
      return (frames, ended) => {
        held.push(...frames.filter((frame) => nodeOf(frame) !== undefined))
        const now = frames.filter((frame) => nodeOf(frame) === undefined)
        return ended ? [...held, ...now] : now
      }
    }),
  },
  {
    id: 'stream.updates.one-behind',
    defect: 'an update is sent only when the next node has finished',
    requirements: ['stream.updates.progressive'],
    wrap: changeStream(streamRun, () => {
      let held: readonly Frame[] = []
      return (frames, ended) => {
        const all = [...held, ...frames]
        held = ended ? [] : all.filter((frame) => nodeOf(frame) !== undefined).slice(-2)
        return all.filter((frame) => !held.includes(frame))
      }
    }),
  },
]
