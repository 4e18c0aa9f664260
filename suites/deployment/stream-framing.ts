import { type Check, check } from '../harness/check.ts'
import { Blocked } from '../harness/errors.ts'
import { show } from '../harness/json.ts'
import { textOf } from '../harness/messages.ts'
import { brokenEvents, endOf, framingRules } from '../harness/sound-stream.ts'
import { streamBlocks, valuesOf } from '../harness/stream-blocks.ts'
import { streamedRunId } from '../harness/stream-metadata.ts'
import { nodeUpdates, updatedMessages } from '../harness/updates.ts'

/** Bytes that a wrong decoder mangles, and characters that a wrong framing splits at. */
const unusual = 'text é 日本語 🙂 \u2028 "quoted" back\\slash\nsecond line\r\ndata: third line'

function lineEnding(raw: string): string {
  const found = { CRLF: /\r\n/, LF: /(^|[^\r])\n/, CR: /\r(?!\n)/ }
  const names = Object.entries(found).filter(([, form]) => form.test(raw))
  return names.map(([name]) => name).join(' and ') || 'none'
}

/** Headers that tell a reader something; the others are those of the connection. */
const telling = /^(cache-control|content-location|content-type|location|x-accel-buffering)$/

export const streamFramingChecks: readonly Check[] = [
  check(
    [
      'stream.content-type',
      'stream.end.reached',
      'stream.end.clean',
      'stream.framing.complete',
      'stream.framing.event-line',
      'stream.framing.data-line',
      'stream.framing.data-json',
    ],
    'formats streams as server-sent events',
    async ({ deployment, session, decide, verify }) => {
      const request = { graph: 'any', text: 'framing', streamMode: ['updates'] } as const
      const stream = await deployment.stream(await deployment.thread(), request)
      const end = await endOf(session, stream)
      await decide('stream.content-type', () => {
        const type = stream.headers['content-type'] ?? ''
        verify(/^text\/event-stream\b/i.test(type), 'content type of a stream', 'text/event-stream', show(type))
      })
      await decide('stream.end.reached', () => {
        verify(end.reached, 'the stream of a run', 'its end after the run', `no end; so far ${show(stream.raw())}`)
      })
      if (!end.reached) throw new Blocked('stream.end.reached', 'the stream did not end')
      await decide('stream.end.clean', () => {
        verify(end.broke === undefined, 'the end of a stream', 'a clean end', end.broke)
      })
      if (end.broke !== undefined) throw new Blocked('stream.end.clean', 'the stream was cut off')
      for (const rule of framingRules) {
        await decide(rule.row, () => {
          const [broken] = brokenEvents(stream, rule)
          verify(!broken, 'the lines of a stream', rule.expected, broken)
        })
      }
    },
  ),

  check('stream.framing.text', 'streams any text unchanged', async ({ deployment, verify }) => {
    const request = { graph: 'echo', text: unusual, streamMode: ['updates'] } as const
    const { events } = await deployment.streamed(await deployment.thread(), request)
    const answer = textOf(updatedMessages(nodeUpdates(events), 'first')[0])
    if (answer === undefined) throw new Blocked('stream.updates.messages-of-node', show(events))
    if (!answer.includes('text')) throw new Blocked('stream.request.input', `the graph answers ${show(answer)}`)
    verify(answer.endsWith(unusual), 'the text in the stream', `first: ${unusual}`, answer)
  }),

  check(
    [
      'stream.framing.line-ending',
      'stream.framing.ids',
      'stream.framing.comments',
      'stream.framing.headers',
      'stream.end.event',
    ],
    'observes the format of streams',
    async ({ deployment, observe }) => {
      const threadId = await deployment.thread()
      const stream = await deployment.streamed(threadId, { graph: 'any', text: 'written', streamMode: ['updates'] })
      const blocks = streamBlocks(stream.raw())
      const ids = blocks.flatMap((block) => valuesOf(block, 'id'))
      const comments = new Set(blocks.flatMap((block) => block.comments))
      const last = blocks.at(-1)
      observe('stream.framing.line-ending', lineEnding(stream.raw()))
      observe('stream.framing.ids', ids.join(', ') || 'none')
      observe('stream.framing.comments', [...comments].join(', ') || 'none')
      const runId = streamedRunId(stream)
      const told = Object.entries(stream.headers).filter(([name]) => telling.test(name))
      const headers = told.map(
        ([name, value]) => `${name}: ${value.replace(threadId, '{thread_id}').replace(runId, '{run_id}')}`,
      )
      observe('stream.framing.headers', headers.sort().join('; '))
      observe('stream.end.event', last === undefined ? 'nothing' : valuesOf(last, 'event').join(', '))
    },
  ),
]
