import type { Wrap } from '../../wrappers/fetch.ts'
import { pathIds, streamRun } from '../../wrappers/requests.ts'
import { changeAt, changeEvents, changeStream, type Frame } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeOtherStreams } from '../streams.ts'

const isMetadata = ({ event }: Frame): boolean => event === 'metadata'

/** Changes `run_id` of the event `metadata`. `make` is called once for each server. */
function changeRunId(make: () => (id: unknown, threadId: string) => unknown): Wrap {
  return (fetch) => {
    const change = make()
    return changeStream(streamRun, (request) => (frames) => {
      for (const { data } of frames.filter(isMetadata)) {
        changeAt(data, ['run_id'], (id) => change(id, pathIds(request).threadId))
      }
      return frames
    })(fetch)
  }
}

export const streamMetadataMutants: readonly Mutant[] = mutantsOf({
  'stream.metadata.missing': {
    defect: 'streams have no event metadata',
    requirements: ['stream.metadata.sent'],
    wrap: changeEvents(streamRun, (frame) => (isMetadata(frame) ? [] : [frame])),
  },
  'stream.metadata.late': {
    defect: 'the event metadata comes after the first update',
    requirements: ['stream.metadata.first'],
    wrap: changeStream(streamRun, () => {
      let delayed: readonly Frame[] = []
      return (frames, ended) => {
        const others = frames.filter((frame) => !isMetadata(frame))
        delayed = [...delayed, ...frames.filter(isMetadata)]
        if (others.length === 0 && !ended) return []
        const [first, ...rest] = others
        const sent = [...(first ? [first] : []), ...delayed, ...rest]
        delayed = []
        return sent
      }
    }),
  },
  'stream.metadata.last': {
    defect: 'the event metadata is the last event',
    requirements: ['stream.metadata.first'],
    wrap: changeStream(streamRun, () => {
      const delayed: Frame[] = []
      return (frames, ended) => {
        delayed.push(...frames.filter(isMetadata))
        return [...frames.filter((frame) => !isMetadata(frame)), ...(ended ? delayed : [])]
      }
    }),
  },
  'stream.metadata.preceded-without-updates': {
    defect: 'a stream without the mode updates starts with values',
    requirements: ['stream.metadata.first'],
    wrap: changeOtherStreams(
      changeEvents(streamRun, (frame) => (isMetadata(frame) ? [{ event: 'values', data: {} }, frame] : [frame])),
    ),
  },
  'stream.metadata.preceded': {
    defect: 'a stream starts with an event open before metadata',
    requirements: ['stream.metadata.first'],
    wrap: changeEvents(streamRun, (frame) => (isMetadata(frame) ? [{ event: 'open', data: {} }, frame] : [frame])),
  },
  'stream.metadata.repeated': {
    defect: 'the event metadata is sent before every update',
    requirements: ['stream.metadata.once'],
    wrap: changeStream(streamRun, () => {
      let metadata: readonly Frame[] = []
      return (frames) =>
        frames.flatMap((frame) => {
          if (isMetadata(frame)) metadata = [frame]
          return frame.event === 'updates' ? [...metadata, frame] : [frame]
        })
    }),
  },
  'stream.metadata.bare-id': {
    defect: 'the data of the event metadata is the run_id as a string',
    requirements: ['stream.metadata.data-object'],
    wrap: changeEvents(streamRun, (frame) => [
      isMetadata(frame) ? { ...frame, data: (frame.data as { run_id: unknown }).run_id } : frame,
    ]),
  },
  'stream.metadata.of-no-run': {
    defect: 'run_id of the event metadata is a new id instead of that of the run',
    requirements: ['stream.metadata.run_id.of-run'],
    wrap: changeRunId(() => () => crypto.randomUUID()),
  },
  'stream.metadata.of-thread': {
    defect: 'run_id of the event metadata is the id of the thread',
    requirements: ['stream.metadata.run_id.of-run'],
    wrap: changeRunId(() => (_id, threadId) => threadId),
  },
  'stream.metadata.of-first-run': {
    defect: 'every stream on a thread has the run_id of the first one',
    requirements: ['stream.metadata.run_id.fresh'],
    wrap: changeRunId(() => {
      const first = new Map<string, unknown>()
      return (id, threadId) => {
        if (!first.has(threadId)) first.set(threadId, id)
        return first.get(threadId)
      }
    }),
  },
  'stream.metadata.of-all-streams': {
    defect: 'streams that are open at the same time receive the events of each other',
    requirements: ['stream.metadata.once'],
    wrap: (fetch) => {
      const inboxes = new Set<Frame[]>()
      return changeStream(streamRun, () => {
        const inbox: Frame[] = []
        inboxes.add(inbox)
        return (frames, ended) => {
          for (const other of inboxes) if (other !== inbox) other.push(...frames)
          if (ended) inboxes.delete(inbox)
          return [...frames, ...inbox.splice(0)]
        }
      })(fetch)
    },
  },
})
