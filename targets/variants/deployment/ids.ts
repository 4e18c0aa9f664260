import { v1, v4 } from 'uuid'
import type { IdFactory } from '../../../mock-server/runtime/ids.ts'
import type { Fetch } from '../../wrappers/fetch.ts'
import { withoutLength } from '../../wrappers/requests.ts'
import { combine, objects } from '../../wrappers/responses.ts'
import { type Behavior, type Choice, choicesOf } from '../choice.ts'

const showUpper = objects((object) => Object.fromEntries(Object.entries(object).map(upper)))

/** The forms of ids. */
export const idChoices: readonly Choice[] = choicesOf('deployment', {
  'ids.version': {
    description: 'The version of the UUIDs of threads, runs and assistants.',
    legal: 'ids.thread, ids.run, ids.assistant: any UUID',
    values: {
      random: ids({ thread: v4, run: v4, assistant: v4 }),
      'time-based': ids({ thread: v1, run: v1, assistant: v1 }),
    },
  },
  'ids.case': {
    description: 'The case of UUIDs in responses.',
    legal: 'RFC 9562, 4: the digits of a UUID may be in any case',
    values: {
      upper: { wrap: combine(acceptUpper, showUpper) },
      'upper-except-when-read': {
        wrap: (fetch) => {
          const accepting = acceptUpper(fetch)
          const showing = showUpper(accepting)
          return (request) => (request.method === 'GET' ? accepting(request) : showing(request))
        },
      },
    },
  },
  'ids.checkpoint': {
    description: 'The form of checkpoint ids.',
    legal: 'Thread state: `checkpoint_id` is a string',
    values: { number: numbered('checkpoint', ''), text: numbered('checkpoint', 'cp:/') },
  },
  'ids.message': {
    description: 'The form of message ids.',
    legal: 'Message: `id` is a string',
    values: { number: numbered('message', ''), text: numbered('message', 'lc_run--') },
  },
})

function ids(changed: Partial<IdFactory>): Behavior {
  return {
    policies: ({ createIds }) => ({ createIds: (clock, random) => ({ ...createIds(clock, random), ...changed }) }),
  }
}

/** Counts ids of one kind. */
function numbered(kind: keyof IdFactory, prefix: string): Behavior {
  return {
    policies: ({ createIds }) => ({
      createIds: (clock, random) => {
        let count = 0
        const next = () => {
          count += 1
          return `${prefix}${count}`
        }
        return { ...createIds(clock, random), [kind]: next }
      },
    }),
  }
}

const named = ['thread_id', 'run_id', 'assistant_id']

function upper([key, value]: [string, unknown]): [string, unknown] {
  return [key, named.includes(key) && typeof value === 'string' ? value.toUpperCase() : value]
}

const uuid = /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/g

/** Converts ids in paths, and of assistants in bodies, to lower case: some dialects keep the case of ids. */
function acceptUpper(fetch: Fetch): Fetch {
  return async (request) => {
    const { method, headers, signal } = request
    const url = request.url.replace(uuid, (id) => id.toLowerCase())
    if (method === 'GET') return fetch(new Request(url, request))
    const named = /"assistant_id":"[^"]*"/g
    const body = (await request.text()).replace(named, (text) => text.replace(uuid, (id) => id.toLowerCase()))
    return fetch(new Request(url, { method, headers: withoutLength(headers), body, signal }))
  }
}
