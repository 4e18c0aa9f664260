import { isObject } from '../../../suites/catalog/facts.ts'
import type { Operation } from '../../../suites/model/operations.ts'
import type { Frame } from '../../wrappers/routes.ts'
import { always, conditions, idOf } from './conditions.ts'
import type { Mutation } from './mutation.ts'

/** Changes the events of one stream; called for each batch, and once with `ended`. */
type Change = (frames: readonly Frame[], ended: boolean) => readonly Frame[]

/** Creates a change of the events with a name. `number` is the number among them, from 1. */
function each(change: (frame: Frame, number: number) => readonly Frame[]) {
  return (event: string) => (): Change => {
    let number = 0
    return (frames) =>
      frames.flatMap((frame) => {
        if (frame.event !== event) return [frame]
        number += 1
        return [...change(frame, number)]
      })
  }
}

/** Creates a change that keeps an event back until the next one arrives. */
function hold(join: (held: Frame, next: Frame) => readonly Frame[]) {
  return (event: string) => (): Change => {
    let held: Frame | undefined
    return (frames, ended) => {
      const shown: Frame[] = []
      for (const frame of frames) {
        if (held !== undefined) {
          shown.push(...join(held, frame))
          held = undefined
        } else if (frame.event === event) held = frame
        else shown.push(frame)
      }
      if (ended && held !== undefined) shown.push(held)
      return shown
    }
  }
}

/** Keeps all events with a name back until the end of the stream. */
function late(event: string) {
  return (): Change => {
    const held: Frame[] = []
    return (frames, ended) => {
      held.push(...frames.filter((frame) => frame.event === event))
      const others = frames.filter((frame) => frame.event !== event)
      return ended ? [...others, ...held] : others
    }
  }
}

/** Joins two events of the same name. */
function merge(held: Frame, next: Frame): readonly Frame[] {
  if (held.event !== next.event || !isObject(held.data) || !isObject(next.data)) return [held, next]
  return [{ ...next, data: { ...held.data, ...next.data } }]
}

const changes: Readonly<Record<string, (event: string) => () => Change>> = {
  absent: each(() => []),
  'without the first': each((frame, number) => (number === 1 ? [] : [frame])),
  'without the second': each((frame, number) => (number === 2 ? [] : [frame])),
  'without the third and later': each((frame, number) => (number > 2 ? [] : [frame])),
  twice: each((frame) => [frame, frame]),
  'the first twice': each((frame, number) => (number === 1 ? [frame, frame] : [frame])),
  'the third twice': each((frame, number) => (number === 3 ? [frame, frame] : [frame])),
  'another name': each((frame) => [{ ...frame, event: `${frame.event}_` }]),
  'upper case': each((frame) => [{ ...frame, event: frame.event.toUpperCase() }]),
  'the name message': each((frame) => [{ ...frame, event: 'message' }]),
  'data null': each((frame) => [{ ...frame, data: null }]),
  'data in an array': each((frame) => [{ ...frame, data: [frame.data] }]),
  'data as text': each((frame) => [{ ...frame, data: JSON.stringify(frame.data) }]),
  'after the next': hold((held, next) => [next, held]),
  merged: hold(merge),
  'at the end': late,
  'an unknown event before': each((frame) => [{ event: 'unknown_event', data: {} }, frame]),
}

/** Creates the mutations of events with a name in streams of an operation. */
export function eventMutations(operation: Operation, event: string): readonly Mutation[] {
  return Object.entries(changes).flatMap(([name, change]) =>
    [always, ...(name === 'absent' || name === 'twice' || name === 'after the next' ? conditions : [])].map(
      (condition): Mutation => ({
        id: idOf(operation, event, name, condition.name),
        operation,
        start: () => ({
          when: condition.when,
          stream: (_call, isActive) => (isActive ? change(event)() : (frames) => frames),
        }),
      }),
    ),
  )
}
