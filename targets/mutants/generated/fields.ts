import { isDeepStrictEqual } from 'node:util'
import type { Frame } from '../../wrappers/routes.ts'
import type { Call, Source } from './calls.ts'
import { always, type Condition, conditions, idOf } from './conditions.ts'
import { type JsonPath, showPath, slotsAt } from './json-paths.ts'
import type { Defect, Mutation } from './mutation.ts'
import { afterSecond, listOperators, type Memory, type Operator, other, retype, valueOperators } from './operators.ts'

/** A value in responses of an operation, in the data of an event of its streams, or in files. */
export interface Place {
  readonly operation: Source
  readonly event?: string
  readonly path: JsonPath
  /** Whether all values are arrays or objects, or null: they have no other value of the same form. */
  readonly isStructure: boolean
  readonly isArray: boolean
}

/** Creates the mutations of a place: each operator on every response, and one operator on some responses only. */
export function fieldMutations(place: Place): readonly Mutation[] {
  const single = place.isStructure ? retype : other
  const isElement = place.path.includes('[]')
  return [
    ...[...valueOperators, ...(place.isArray ? listOperators : [])].map((operator) => mutation(place, operator, always)),
    ...conditions.map((condition) => mutation(place, single, condition)),
    ...(isElement ? [mutation(place, afterSecond(single), always)] : []),
  ]
}

function mutation(place: Place, operator: Operator, { name, when }: Condition): Mutation {
  const { operation, event, path } = place
  return {
    id: idOf(operation, event ?? '', showPath(path), operator.name, name),
    operation,
    start() {
      const memory: Memory = new Map()
      const change = (body: unknown, call: Call, isActive: boolean) => changeBody(body, path, operator, memory, call, isActive)
      return event === undefined ? { when, reply: replies(change) } : { when, stream: streams(event, change) }
    },
  }
}

/** Changes a copy of a body. */
type Change = (body: unknown, call: Call, isActive: boolean) => unknown

function changeBody(
  body: unknown,
  path: JsonPath,
  { apply }: Operator,
  memory: Memory,
  call: Call,
  isActive: boolean,
): unknown {
  // The body itself is a field of this object.
  const root = { body }
  for (const slot of slotsAt(root, ['body', ...path])) apply(slot, memory, call, isActive)
  return root.body
}

function replies(change: Change): NonNullable<Defect['reply']> {
  return (reply, call, isActive) => {
    const isJson = reply.headers['content-type']?.includes('json') === true
    if (reply.status < 200 || reply.status >= 300 || !isJson || reply.text === '') return reply
    const body = change(JSON.parse(reply.text), call, isActive)
    // An absent body is an empty one.
    const text = JSON.stringify(body) ?? ''
    return isActive ? { ...reply, text } : reply
  }
}

function streams(event: string, change: Change): NonNullable<Defect['stream']> {
  const changed = (frame: Frame, call: Call, isActive: boolean): Frame => {
    const data = change(structuredClone(frame.data), call, isActive)
    return isActive && !isDeepStrictEqual(data, frame.data) ? { ...frame, data } : frame
  }
  return (call, isActive) => (frames) =>
    frames.map((frame) => (frame.event === event ? changed(frame, call, isActive) : frame))
}
