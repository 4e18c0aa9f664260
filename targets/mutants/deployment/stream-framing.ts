import { setTimeout } from 'node:timers/promises'
import type { Wrap } from '../../wrappers/fetch.ts'
import { streamRun } from '../../wrappers/requests.ts'
import { replace } from '../../wrappers/responses.ts'
import { matchesRoute } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeStreamText } from '../streams.ts'

/** Changes the body of streams. */
function changeBody(
  change: (body: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
): Wrap {
  return (fetch) => async (request) => {
    const response = await fetch(request)
    if (!response.ok || !response.body || !matchesRoute(request, streamRun)) return response
    const changed = replace(response, { body: change(response.body) })
    for (const [name, value] of Object.entries(headers)) changed.headers.set(name, value)
    return changed
  }
}

/** The same bytes without an end. */
function withoutEnd(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      const { value } = await reader.read()
      if (value) controller.enqueue(value)
      else await new Promise(() => undefined)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** The same bytes until there are none for five seconds. */
function untilIdle(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      const idle = new AbortController()
      const timeout = setTimeout(5000, undefined, { signal: idle.signal }).catch(() => undefined)
      const read = await Promise.race([reader.read(), timeout])
      idle.abort()
      if (read?.value) return controller.enqueue(read.value)
      controller.close()
      await reader.cancel()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** The same text, decoded in blocks of this many bytes: characters on the border of two blocks are lost. */
function decodedInBlocks(body: ReadableStream<Uint8Array>, size: number): ReadableStream<Uint8Array> {
  const blocks = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      for (let start = 0; start < chunk.length; start += size) {
        const text = new TextDecoder().decode(chunk.subarray(start, start + size))
        controller.enqueue(new TextEncoder().encode(text))
      }
    },
  })
  return body.pipeThrough(blocks)
}

export const streamFramingMutants: readonly Mutant[] = mutantsOf({
  'stream.content-type.plain': {
    defect: 'a stream has the content type text/plain',
    requirements: ['stream.content-type'],
    wrap: changeBody((body) => body, { 'content-type': 'text/plain; charset=utf-8' }),
  },
  'stream.framing.first-unnamed': {
    defect: 'the first event of a stream has no event line',
    requirements: ['stream.framing.event-line'],
    wrap: changeStreamText((block, isFirst) => (isFirst ? block.replace(/^event: .*\n/m, '') : block)),
  },
  'stream.framing.unnamed': {
    defect: 'the name of an event is in its data instead of an event line',
    requirements: ['stream.framing.event-line'],
    alsoFails: { 'stream.framing.data-json': 'an event without data gets data that is not valid JSON' },
    wrap: changeStreamText((block) => block.replace(/^event: (.*)\ndata: (.*)$/m, 'data: {"event":"$1","data":$2}')),
  },
  'stream.framing.without-data': {
    defect: 'the event metadata has no data line',
    requirements: ['stream.framing.data-line'],
    wrap: changeStreamText((block, isFirst) => (isFirst ? block.replace(/^data: .*\n/m, '') : block)),
  },
  'stream.framing.python-literals': {
    defect: 'the data of events is Python literals instead of JSON',
    requirements: ['stream.framing.data-json'],
    wrap: changeStreamText((block) => block.replace(/^data: .*$/m, (data) => data.replaceAll('"', "'"))),
  },
  'stream.framing.last-not-closed': {
    defect: 'the last event of a stream does not end with an empty line',
    requirements: ['stream.framing.complete'],
    wrap: changeStreamText((block, isFirst) => `${isFirst ? '' : '\n'}${block.slice(0, -1)}`),
  },
  'stream.framing.ascii-only': {
    defect: 'non-ASCII characters in a stream are question marks',
    requirements: ['stream.framing.text'],
    alsoFails: { 'stream.updates.as-stored': 'the user that `whoami` shows may have such characters' },
    wrap: changeStreamText((block) => block.replace(/[^\p{ASCII}]/gu, '?')),
  },
  'stream.framing.wrong-encoding': {
    defect: 'the text of a stream is encoded as UTF-8 twice',
    requirements: ['stream.framing.text'],
    alsoFails: { 'stream.updates.as-stored': 'the user that `whoami` shows may have such characters' },
    wrap: changeStreamText((block) =>
      [...new TextEncoder().encode(block)].map((byte) => String.fromCharCode(byte)).join(''),
    ),
  },
  'stream.framing.decoded-in-blocks': {
    defect: 'a stream is decoded in blocks of 2048 bytes, each by itself',
    requirements: ['stream.framing.text'],
    wrap: changeBody((body) => decodedInBlocks(body, 2048)),
  },
  'stream.framing.line-breaks-lost': {
    defect: 'streamed messages lose their line breaks',
    requirements: ['stream.framing.text'],
    alsoFails: { 'stream.framing.data-json': 'a backslash before a letter n is taken for a line break, too' },
    wrap: changeStreamText((block) => block.replace(/(\\r)?\\n/g, ' ')),
  },
  'stream.end.stays-open': {
    defect: 'a stream stays open after the run has finished',
    requirements: ['stream.end.reached'],
    wrap: changeBody(withoutEnd),
  },
  'stream.end.breaks-off': {
    defect: 'the connection of a stream is reset at its end',
    requirements: ['stream.end.clean'],
    // The connection closes before all announced bytes are sent.
    wrap: changeBody((body) => body, { 'content-length': '1000000', connection: 'close' }),
  },
  'stream.end.early-when-idle': {
    defect: 'a stream ends when it was idle for five seconds',
    requirements: ['stream.updates.each-node'],
    thorough: true,
    wrap: changeBody(untilIdle),
  },
})
