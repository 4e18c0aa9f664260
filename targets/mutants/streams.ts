import { isObject } from '../../suites/catalog/facts.ts'
import type { Wrap } from '../wrappers/fetch.ts'
import { getRun, jsonBody, listRuns, streamRun } from '../wrappers/requests.ts'
import { changeBlocks, replace } from '../wrappers/responses.ts'
import { changeResponse, changeStream, type Frame, matchesRoute } from '../wrappers/routes.ts'

/** Returns the node names and their updates in an `updates` event; undefined for any other event. */
export function updatesIn({ event, data }: Frame): readonly (readonly [string, unknown])[] | undefined {
  return event === 'updates' && isObject(data) ? Object.entries(data) : undefined
}

/** Replaces each node update in streams by any number of events. */
export function changeUpdates(change: (node: string, value: unknown) => readonly Frame[]): Wrap {
  return changeStream(
    streamRun,
    () => (frames) =>
      frames.flatMap((frame) => updatesIn(frame)?.flatMap(([node, value]) => [...change(node, value)]) ?? [frame]),
  )
}

/** Changes each message in the updates of streams. */
export function changeUpdateMessages(change: (message: Record<string, unknown>) => Record<string, unknown>): Wrap {
  return changeUpdates((node, value) => {
    const messages = isObject(value) ? value['messages'] : undefined
    return [update(node, Array.isArray(messages) ? { ...Object(value), messages: messages.map(change) } : value)]
  })
}

/** Creates an `updates` event of one node. */
export function update(node: string, value: unknown): Frame {
  return { event: 'updates', data: { [node]: value } }
}

/** Changes the text of streams block by block. `isFirst` is true for the first block of a stream. */
export function changeStreamText(change: (block: string, isFirst: boolean) => string): Wrap {
  return (fetch) => async (request) => {
    const response = await fetch(request)
    if (!response.ok || !response.body || !matchesRoute(request, streamRun)) return response
    let isFirst = true
    const text = (block: string) => {
      const changed = change(`${block}\n\n`, isFirst)
      isFirst = false
      return changed
    }
    return replace(response, { body: changeBlocks(response.body, { change: (blocks) => blocks.map(text).join('') }) })
  }
}

/** Creates a defect that depends on whether a run was streamed. */
export function forStreamedRuns(defect: (isStreamed: (id: unknown) => boolean) => Wrap): Wrap {
  return (fetch) => {
    const streamed = new Set<unknown>()
    return defect((id) => streamed.has(id))(async (request) => {
      const response = await fetch(request)
      const id = response.headers.get('content-location')?.split('/').at(-1)
      if (matchesRoute(request, streamRun) && id !== undefined) streamed.add(id)
      return response
    })
  }
}

/** Changes the records of streamed runs in all responses. */
export function changeStreamedRuns(change: (run: Record<string, unknown>) => Record<string, unknown>): Wrap {
  return forStreamedRuns((isStreamed) => (fetch) => {
    const shown = (run: unknown) => (isObject(run) && isStreamed(run['run_id']) ? change(run) : run)
    const listed = changeResponse(listRuns, (runs) => (runs as unknown[]).map(shown))
    return [changeResponse(getRun, shown), listed].reduce((inner, wrap) => wrap(inner), fetch)
  })
}

/** Changes streams whose request does not ask for `updates`. */
export function changeOtherStreams(wrap: Wrap): Wrap {
  return (fetch) => {
    const changed = wrap(fetch)
    return async (request) => {
      if (!matchesRoute(request, streamRun)) return fetch(request)
      const modes = [(await jsonBody(request))['stream_mode']].flat()
      return (modes.includes('updates') ? fetch : changed)(request)
    }
  }
}
