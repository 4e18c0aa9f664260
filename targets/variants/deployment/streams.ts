import { setTimeout } from 'node:timers/promises'
import type { Wrap } from '../../wrappers/fetch.ts'
import { type Fields, jsonBody, streamRun } from '../../wrappers/requests.ts'
import { frames, isStream, replace, responses } from '../../wrappers/responses.ts'
import { respondInstead } from '../../wrappers/routes.ts'
import { type Choice, choicesOf } from '../choice.ts'

const withoutUpdates = {
  'stream.updates.before-failure': 'the stream of a graph that fails is not whole',
  'stream.updates.none-for-failed': 'the stream of a graph that fails is not whole',
}

/** Event streams. */
export const streamChoices: readonly Choice[] = choicesOf('deployment', {
  'stream.unchanged-node': {
    description: 'The update of a node that changed nothing.',
    legal: 'stream.updates.unchanged-node: not shown',
    values: {
      null: { wrap: unchanged(null) },
      empty: { wrap: unchanged({}) },
      'no-messages': { wrap: unchanged({ messages: [] }) },
    },
  },
  'stream.metadata': {
    description: 'The data of the event `metadata`.',
    legal: 'stream.metadata.further: an object with `run_id`',
    values: {
      'run-id-only': { wrap: events('metadata', ({ run_id }) => ({ run_id })) },
      further: { wrap: events('metadata', (data) => ({ ...data, thread_id: null, status: 'started' })) },
    },
  },
  'stream.lines': {
    description: 'The lines of an event, and what is between events.',
    legal:
      'stream.framing.ids, stream.framing.comments: server-sent events allow ids, comments, retry and unknown fields',
    values: {
      'ids-and-retry': { wrap: frames((lines, index) => [`id: 17-${index}`, ...withoutId(lines), 'retry: 1000']) },
      'no-ids': { wrap: frames(withoutId) },
      'data-first': { wrap: frames((lines) => lines.toReversed()) },
      'no-space': { wrap: frames((lines) => lines.map((line) => line.replace(': ', ':'))) },
      'several-data-lines': { wrap: frames((lines) => lines.flatMap(severalLines)) },
      'unknown-fields': { wrap: frames((lines) => ['x-field: 1', ...lines, 'flag']) },
      comments: { wrap: frames((lines) => [': before', ...lines, ':']) },
    },
  },
  'stream.further-events': {
    description: 'Events that the specification does not name.',
    legal: 'stream.end.event, Events: other event names are not shown',
    values: {
      'between-events': { wrap: frames((lines, index) => [...lines, '', 'event: x-progress', `data: {"n":${index}}`]) },
      'without-data': { wrap: frames((lines) => [...lines, '', 'event: x-alive']) },
      'at-the-end': { wrap: frames((lines) => lines, { after: 'event: end\ndata: null\n\n' }) },
    },
  },
  'stream.failure': {
    description: 'The response to the stream of a graph that fails.',
    legal: 'stream.failure.events: not shown (ruling 33)',
    values: {
      'error-only': {
        wrap: failing((response) => replace(response, { body: 'event: error\ndata: boom\n\n' })),
        excuses: withoutUpdates,
      },
      aborted: { wrap: failing(cutOff), transport: {} },
      refused: {
        wrap: failing(async (response) => {
          await response.text()
          return Response.json({ detail: 'the graph failed' }, { status: 500 })
        }),
        excuses: withoutUpdates,
      },
    },
  },
  'stream.line-ending': {
    description: 'The line ending of event streams, and a byte order mark.',
    legal: 'stream.framing.line-ending: server-sent events allow LF, CRLF, CR and a byte order mark',
    values: {
      CRLF: { wrap: lineEnding('\r\n') },
      CR: { wrap: lineEnding('\r') },
      'byte-order-mark': { wrap: lineEnding('\n', '\uFEFF') },
      'comment-first': { wrap: lineEnding('\n', ': hello\n\n\n') },
      heartbeats: { wrap: frames((lines) => lines, { write: (lines) => `${lines.join('\n')}\n\n: heartbeat\n\n` }) },
    },
  },
  'stream.arrival': {
    description: 'When the events of a stream arrive.',
    legal: 'Progressive delivery is advised (ruling 16); when a stream ends after its last event is not shown',
    values: {
      'all-at-the-end': {
        wrap: responses(async (response) =>
          isStream(response) ? replace(response, { body: await response.text() }) : response,
        ),
        excuses: {
          'stream.updates.progressive': 'advised only',
          'stream.*': 'a run that takes long cannot be left in its stream',
          'run.join.streamed': 'the id of a streamed run is known at its end',
        },
      },
      'late-end': { wrap: lateEnd(150) },
    },
  },
})

function unchanged(update: unknown): Wrap {
  const shown = ([node, value]: [string, unknown]): [string, unknown] => {
    const messages = Object(value).messages ?? []
    return [node, Array.isArray(messages) && messages.length === 0 ? update : value]
  }
  return events('updates', (data) => Object.fromEntries(Object.entries(data).map(shown)))
}

/** Changes the data of events with a name. */
function events(name: string, change: (data: Fields) => Fields): Wrap {
  return frames((lines) => {
    if (!lines.includes(`event: ${name}`)) return lines
    return lines.map((line) =>
      line.startsWith('data: ') ? `data: ${JSON.stringify(change(JSON.parse(line.slice(6)) as Fields))}` : line,
    )
  })
}

/** Changes the responses to streams of the graph `fail`. */
function failing(change: (response: Response) => Response | Promise<Response>): Wrap {
  return respondInstead(streamRun, async (request, fetch) => {
    const { assistant_id: named } = await jsonBody(request)
    const response = await fetch(request)
    return named === 'fail' && isStream(response) ? change(response) : response
  })
}

/** Breaks the connection of a stream off at its end, when its events have been sent. */
function cutOff(response: Response): Response {
  const flush = async (controller: TransformStreamDefaultController) => {
    await setTimeout(50)
    controller.error(new Error('the graph failed'))
  }
  const body = response.body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ flush }))
  return replace(response, { ...(body && { body }) })
}

/** Keeps a stream open after its last event. */
function lateEnd(ms: number): Wrap {
  return responses((response) => {
    if (!isStream(response) || !response.body) return response
    const late = new TransformStream<Uint8Array, Uint8Array>({ flush: () => setTimeout(ms) })
    return replace(response, { body: response.body.pipeThrough(late) })
  })
}

function withoutId(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !line.startsWith('id:'))
}

function severalLines(line: string): readonly string[] {
  if (!line.startsWith('data: ')) return [line]
  const text = JSON.stringify(JSON.parse(line.slice(6)), null, 1)
  return text.split('\n').map((part) => `data: ${part}`)
}

/** Replaces the line endings of a stream. A carriage return may be the last character of a part. */
function lineEnding(ending: string, before = ''): Wrap {
  return responses((response) => {
    if (!isStream(response) || !response.body) return response
    const endings = new TransformStream<string, string>({
      start: (controller) => {
        if (before !== '') controller.enqueue(before)
      },
      transform: (text, controller) => controller.enqueue(text.replaceAll(/\r?\n/g, ending)),
    })
    const body = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(endings)
      .pipeThrough(new TextEncoderStream())
    return replace(response, { body })
  })
}
