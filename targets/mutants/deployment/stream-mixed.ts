import { at, listAt } from '../../../suites/values/json.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { createRun, errorResponse, getRun, listRuns, pathIds, streamRun } from '../../wrappers/requests.ts'
import { combine, responses } from '../../wrappers/responses.ts'
import { changeResponse, changeStream, matchesRoute, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { forStreamedRuns } from '../streams.ts'

/** A run in the list of runs. */
type ListedRun = Readonly<Record<string, unknown>>

/** Creates a defect that depends on the ids of the runs of a thread that were not streamed. */
function forBackgroundRuns(defect: (idsOf: (request: Request) => readonly string[]) => Wrap): Wrap {
  return (fetch) => {
    const byThread = new Map<string | undefined, string[]>()
    const idsOf = (request: Request) => byThread.get(pathIds(request).threadId) ?? []
    const watch = responses(async (response, request) => {
      if (!matchesRoute(request, createRun) || !response.ok) return response
      const { run_id: id } = Object(await response.clone().json())
      byThread.set(pathIds(request).threadId, [...idsOf(request), String(id)])
      return response
    })
    return combine(watch, defect(idsOf))(fetch)
  }
}

/** Omits runs from lists. `others`: ids of the runs of the thread that were not streamed. */
function omit(isOmitted: (run: ListedRun, isStreamed: boolean, others: readonly string[]) => boolean): Wrap {
  return forBackgroundRuns((idsOf) =>
    forStreamedRuns((isStreamed) =>
      changeResponse(listRuns, (body, request) =>
        listAt(body).filter((run) => !isOmitted(Object(run), isStreamed(at(run, 'run_id')), idsOf(request))),
      ),
    ),
  )
}

/** Replaces the id in the first event of a stream on a thread with runs that were not streamed. */
function changeMetadataId(idOf: (others: readonly string[]) => string): Wrap {
  return forBackgroundRuns((idsOf) =>
    changeStream(streamRun, (request) => (frames) => {
      const others = idsOf(request)
      return others.length === 0
        ? frames
        : frames.map((frame) =>
            frame.event === 'metadata' ? { ...frame, data: { ...Object(frame.data), run_id: idOf(others) } } : frame,
          )
    }),
  )
}

/** Defects of streamed runs on a thread with other runs. */
export const streamMixedMutants: readonly Mutant[] = mutantsOf({
  'stream.mixed.metadata-of-other-run': {
    defect: 'the stream of a run on a thread with a background run names that one',
    requirements: ['stream.metadata.run_id.of-run'],
    wrap: changeMetadataId((others) => others.at(-1) ?? ''),
  },
  'stream.mixed.metadata-unknown': {
    defect: 'the stream of a run on a thread with a background run has an id that no run has',
    requirements: ['stream.metadata.run_id.of-run'],
    wrap: changeMetadataId(() => crypto.randomUUID()),
  },
  'stream.mixed.unlisted': {
    defect: 'the list of runs omits a streamed run of a thread with a background run',
    requirements: ['stream.run.recorded'],
    wrap: omit((_, isStreamed, others) => isStreamed && others.length > 0),
  },
  'stream.mixed.second-unlisted': {
    defect: 'the list of runs omits all but the first streamed run of a thread',
    requirements: ['stream.run.recorded'],
    wrap: (fetch) => {
      const first = new Map<unknown, unknown>()
      return omit(({ run_id: id, thread_id: thread }, isStreamed) => {
        if (isStreamed && !first.has(thread)) first.set(thread, id)
        return isStreamed && first.get(thread) !== id
      })(fetch)
    },
  },
  'stream.mixed.others-unlisted': {
    defect: 'the list of runs omits the background runs of a thread with a streamed run',
    requirements: ['run.list.every-run'],
    alsoFails: { 'multitask.interrupt.earlier-listed': 'a run that was streamed has interrupted a background run' },
    wrap: (fetch) => {
      const threads = new Set<unknown>()
      return omit(({ thread_id: thread }, isStreamed) => {
        if (isStreamed) threads.add(thread)
        return !isStreamed && threads.has(thread)
      })(fetch)
    },
  },
  'stream.mixed.not-gettable': {
    defect: 'GET of a streamed run of a thread with a background run returns 404',
    requirements: ['stream.metadata.run_id.gettable'],
    wrap: forBackgroundRuns((idsOf) =>
      forStreamedRuns((isStreamed) =>
        respondInstead(getRun, async (request, fetch) =>
          isStreamed(pathIds(request).runId) && idsOf(request).length > 0 ? errorResponse(404) : fetch(request),
        ),
      ),
    ),
  },
})
