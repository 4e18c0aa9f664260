import type { Fetch, Mutant } from '../mutant.ts'
import { bodyOf } from '../requests.ts'
import { type Frame, goesTo, rewriteEvents, rewriteStream } from '../rewrite.ts'
import { changeUpdates, streamRun, update, updatesIn } from '../streams.ts'

const nodeOf = (frame: Frame): string | undefined => updatesIn(frame)?.[0]?.[0]

/** A defect that concerns the streams of one graph only. */
function ofGraph(graph: string, defect: (fetch: Fetch) => Fetch): (fetch: Fetch) => Fetch {
  return (fetch) => async (request) => {
    const concerned = goesTo(request, streamRun) && (await bodyOf(request))['assistant_id'] === graph
    return (concerned ? defect(fetch) : fetch)(request)
  }
}

export const streamUpdatesOrderMutants: readonly Mutant[] = [
  {
    id: 'stream.updates.last-dropped',
    defect: 'the update of the last node is lost',
    rows: ['stream.updates.each-node'],
    wrap: changeUpdates((node, value) => (['second', 'after', 'answer'].includes(node) ? [] : [update(node, value)])),
  },
  {
    id: 'stream.updates.unchanged-dropped',
    defect: 'a node that changed nothing has no update',
    rows: ['stream.updates.each-node'],
    wrap: changeUpdates((node, value) => (node === 'sleep' ? [] : [update(node, value)])),
  },
  {
    id: 'stream.updates.first-dropped',
    defect: 'the update of the first node is lost',
    rows: ['stream.updates.each-node'],
    wrap: changeUpdates((node, value) => (['first', 'before', 'plan'].includes(node) ? [] : [update(node, value)])),
  },
  {
    id: 'stream.updates.twice',
    defect: 'every updates event is sent twice',
    rows: ['stream.updates.once-a-node'],
    wrap: changeUpdates((node, value) => [update(node, value), update(node, value)]),
  },
  {
    id: 'stream.updates.again-at-end',
    defect: 'the last update is sent once more at the end of a stream',
    rows: ['stream.updates.once-a-node'],
    wrap: rewriteStream(streamRun, () => {
      let last: readonly Frame[] = []
      return (frames, ended) => {
        last = [...last, ...frames].filter((frame) => nodeOf(frame) !== undefined).slice(-1)
        return ended ? [...frames, ...last] : frames
      }
    }),
  },
  {
    id: 'stream.updates.swapped',
    defect: 'the update of the first node of a short run comes after that of the second',
    rows: ['stream.updates.in-order'],
    wrap: rewriteStream(streamRun, () => {
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
    defect: 'the update of a node that changed nothing comes after that of the next node',
    rows: ['stream.updates.in-order'],
    wrap: rewriteStream(streamRun, () => {
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
    defect: 'the stream of a run that fails brings the error only',
    rows: ['stream.updates.before-failure'],
    wrap: ofGraph(
      'fail',
      changeUpdates(() => []),
    ),
  },
  {
    id: 'stream.updates.of-failed-node',
    defect: 'a node that throws has an update with null',
    rows: ['stream.updates.none-for-failed'],
    wrap: rewriteEvents(streamRun, (frame) => (frame.event === 'error' ? [update('boom', null), frame] : [frame])),
  },
  {
    id: 'stream.updates.at-end',
    defect: 'all updates are sent at the end of the run',
    rows: ['stream.updates.progressive'],
    wrap: rewriteStream(streamRun, () => {
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
    defect: 'an update is sent when the next node has finished',
    rows: ['stream.updates.progressive'],
    wrap: rewriteStream(streamRun, () => {
      let held: readonly Frame[] = []
      return (frames, ended) => {
        const all = [...held, ...frames]
        held = ended ? [] : all.filter((frame) => nodeOf(frame) !== undefined).slice(-2)
        return all.filter((frame) => !held.includes(frame))
      }
    }),
  },
]
