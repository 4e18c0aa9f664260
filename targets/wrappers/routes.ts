import type { ResponsePath } from '../../suites/catalog/fields.ts'
import type { Fetch, Wrap } from './fetch.ts'
import { changeBlocks, replace, replaceJson } from './responses.ts'

/** A method and a path template such as `/threads/{thread_id}/runs`. */
export interface Route {
  readonly method: string
  readonly path: string
}

/** Whether a request matches a route. */
export function matchesRoute(request: Request, route: Route): boolean {
  if (request.method !== route.method) return false
  const pattern = route.path.replace(/\{[^}]+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(new URL(request.url).pathname)
}

/** Changes the JSON body of successful responses of a route. */
export function changeResponse(route: Route, change: (body: unknown, request: Request) => unknown): Wrap {
  return (fetch) => async (request) => {
    const response = await fetch(request)
    const json = response.headers.get('content-type')?.includes('json')
    if (!response.ok || !json || !matchesRoute(request, route)) return response
    return replaceJson(response, (body) => change(body, request))
  }
}

/** Handles requests to a route instead of the server. */
export function respondInstead(route: Route, handle: (request: Request, fetch: Fetch) => Promise<Response>): Wrap {
  return (fetch) => (request) => (matchesRoute(request, route) ? handle(request, fetch) : fetch(request))
}

/** Returns the objects at a path; `*` matches all elements of an array and all values of an object. */
function objectsAt(value: unknown, path: ResponsePath): readonly Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const object = value as Record<string, unknown>
  const [key, ...rest] = path
  if (key === undefined) return [object]
  const inner = key === '*' ? Object.values(object) : [object[key]]
  return inner.flatMap((each) => objectsAt(each, rest))
}

/**
 * Changes the field at a path in all objects that pass the test `where`, and returns the value. A field that becomes
 * undefined is removed.
 */
export function changeAt<Value>(
  value: Value,
  path: ResponsePath,
  change: (field: unknown) => unknown,
  where: (object: unknown) => boolean = () => true,
): Value {
  const name = path.at(-1) ?? ''
  for (const object of objectsAt(value, path.slice(0, -1)).filter(where)) {
    const changed = change(object[name])
    if (changed === undefined) delete object[name]
    else object[name] = changed
  }
  return value
}

/** An event of a stream. */
export interface Frame {
  event: string
  /** The parsed data line. */
  data: unknown
  id?: string
}

/** Replaces each event in streams of a route by any number of events. */
export function changeEvents(route: Route, change: (frame: Frame) => readonly Frame[]): Wrap {
  return changeStream(route, () => (frames) => frames.flatMap((frame) => [...change(frame)]))
}

/** Changes a batch of the events of one stream; called with `ended` at its end. */
type ChangeFrames = (frames: readonly Frame[], ended: boolean) => readonly Frame[]

/** Changes batches of events in streams of a route. `make` is called once for each stream, its result for each batch. */
export function changeStream(route: Route, make: (request: Request) => ChangeFrames): Wrap {
  return (fetch) => async (request) => {
    const response = await fetch(request)
    if (!response.ok || !response.body || !matchesRoute(request, route)) return response
    return replace(response, { body: changeFrames(response.body, make(request)) })
  }
}

/** Changes the events in the body of a stream. */
export function changeFrames(body: ReadableStream<Uint8Array>, change: ChangeFrames): ReadableStream<Uint8Array> {
  const text = (blocks: readonly string[], ended: boolean) =>
    change(blocks.flatMap(decode), ended).map(encodeFrame).join('')
  return changeBlocks(body, { change: (blocks) => text(blocks, false), end: (rest) => text([rest], true) })
}

function decode(block: string): Frame[] {
  const lines = block.split('\n')
  const line = (name: string) => lines.find((each) => each.startsWith(`${name}: `))?.slice(name.length + 2)
  const [event, data, id] = [line('event'), line('data'), line('id')]
  if (event === undefined || data === undefined) return []
  return [{ event, data: JSON.parse(data), ...(id === undefined ? {} : { id }) }]
}

/** Writes an event as a server-sent event. */
export function encodeFrame({ event, data, id }: Frame): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n${id === undefined ? '' : `id: ${id}\n`}\n`
}
