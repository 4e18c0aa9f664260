import { isObject } from '../../../suites/catalog/facts.ts'
import { jsonBody, pathIds, streamRun } from '../../wrappers/requests.ts'
import { changeEvents, changeStream, type Frame, matchesRoute } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeOtherStreams, changeUpdateMessages, changeUpdates, update, updatesIn } from '../streams.ts'

/** The messages in the update of a node. */
function messagesOf(value: unknown): readonly unknown[] {
  const messages = isObject(value) ? value['messages'] : undefined
  return Array.isArray(messages) ? messages : []
}

/** Changes the updates of nodes. */
const changeValue = (change: (value: Record<string, unknown>) => unknown) =>
  changeUpdates((node, value) => [update(node, isObject(value) ? change(value) : value)])

export const streamUpdatesMutants: readonly Mutant[] = mutantsOf({
  'stream.updates.other-usage': {
    defect: '`usage_metadata` of messages in updates has other numbers than that of the stored messages',
    requirements: ['stream.updates.parts-as-stored'],
    wrap: changeUpdateMessages(({ usage_metadata: usage, ...message }) => ({
      ...message,
      usage_metadata: isObject(usage) ? { input_tokens: 0, output_tokens: 0, total_tokens: 0 } : usage,
    })),
  },
  'stream.updates.repeated-by-next-node': {
    defect: 'the update of a node without messages repeats the messages of the node before',
    requirements: ['stream.updates.messages-only-of-node'],
    wrap: changeStream(streamRun, () => {
      let before: unknown
      return (frames) =>
        frames.map((frame) => {
          const [[node = '', value] = []] = updatesIn(frame) ?? []
          if (updatesIn(frame) === undefined) return frame
          const hasMessages = isObject(value) && Array.isArray(value['messages']) && value['messages'].length > 0
          if (hasMessages) before = value
          return hasMessages || before === undefined ? frame : update(node, before)
        })
    }),
  },
  'stream.updates.none': {
    defect: 'the mode updates sends no events',
    requirements: ['stream.updates.sent'],
    wrap: changeUpdates(() => []),
  },
  'stream.updates.renamed': {
    defect: 'the events of the mode updates are named update',
    requirements: ['stream.updates.sent'],
    wrap: changeEvents(streamRun, (frame) => [frame.event === 'updates' ? { ...frame, event: 'update' } : frame]),
  },
  'stream.updates.large-lost': {
    defect: 'events of more than 64 KiB are not sent',
    requirements: ['stream.updates.sent'],
    wrap: changeEvents(streamRun, (frame) => (JSON.stringify(frame.data).length > 65_536 ? [] : [frame])),
  },
  'stream.updates.pairs': {
    defect: 'the data of an updates event is an array of node and value',
    requirements: ['stream.updates.data-object'],
    wrap: changeUpdates((node, value) => [{ event: 'updates', data: [node, value] }]),
  },
  'stream.updates.keyed-by-graph': {
    defect: 'updates are keyed by graph and node name',
    requirements: ['stream.updates.node-names'],
    wrap: changeUpdates((node, value) => [update(`graph:${node}`, value)]),
  },
  'stream.updates.keyed-by-task': {
    defect: 'updates are keyed by task ids',
    requirements: ['stream.updates.node-names'],
    wrap: changeUpdates((_node, value) => [update(crypto.randomUUID(), value)]),
  },
  'stream.updates.unkeyed': {
    defect: 'an updates event has the update of a node without the name of the node',
    requirements: ['stream.updates.node-names'],
    wrap: changeUpdates((_node, value) => [{ event: 'updates', data: value }]),
  },
  'stream.updates.bare-messages': {
    defect: 'the update of a node is the array of its messages',
    requirements: ['stream.updates.value-object'],
    wrap: changeValue(({ messages }) => messages),
  },
  'stream.updates.other-key': {
    defect: 'the update of a node has its messages under another key',
    requirements: ['stream.updates.messages-present'],
    wrap: changeValue(({ messages, ...value }) => ({ ...value, output: messages })),
  },
  'stream.updates.one-message': {
    defect: 'messages in an updates event is an object instead of an array',
    requirements: ['stream.updates.messages-array'],
    wrap: changeValue((value) => {
      const [message] = messagesOf(value)
      return message === undefined ? value : { ...value, messages: message }
    }),
  },
  'stream.updates.texts': {
    defect: 'messages in an updates event are strings',
    requirements: ['stream.updates.messages-objects'],
    wrap: changeValue((value) => ({
      ...value,
      messages: messagesOf(value).map((message) => JSON.stringify(Object(message).content)),
    })),
  },
  'stream.updates.of-first-node': {
    defect: 'the updates of all nodes have the messages of the first node',
    requirements: ['stream.updates.messages-of-node'],
    wrap: changeStream(streamRun, () => {
      let first: unknown
      return (frames) =>
        frames.map((frame) => {
          const [pair] = updatesIn(frame) ?? []
          if (pair === undefined || messagesOf(pair[1]).length === 0) return frame
          first ??= pair[1]
          return update(pair[0], first)
        })
    }),
  },
  'stream.updates.without-messages': {
    defect: 'the updates of all nodes but the first have no messages',
    requirements: ['stream.updates.messages-of-node'],
    wrap: changeStream(streamRun, () => {
      let count = 0
      return (frames) =>
        frames.map((frame) => {
          const [pair] = updatesIn(frame) ?? []
          return pair === undefined || count++ === 0 ? frame : update(pair[0], { messages: [] })
        })
    }),
  },
  'stream.updates.cumulative': {
    defect: 'the update of a node also has the messages of earlier nodes',
    requirements: ['stream.updates.messages-only-of-node'],
    wrap: changeStream(streamRun, () => {
      const earlier: unknown[] = []
      return (frames) =>
        frames.map((frame) => {
          const [pair] = updatesIn(frame) ?? []
          if (pair === undefined) return frame
          earlier.push(...messagesOf(pair[1]))
          return update(pair[0], { messages: [...earlier] })
        })
    }),
  },
  'stream.updates.of-earlier-run': {
    defect: 'a later stream on a thread has the updates of the first one',
    requirements: ['stream.updates.second-run'],
    wrap: (fetch) => {
      const first = new Map<string, Frame>()
      return changeStream(
        streamRun,
        (request) => (frames) =>
          frames.map((frame) => {
            const [pair] = updatesIn(frame) ?? []
            if (pair === undefined) return frame
            const key = `${pathIds(request).threadId} ${pair[0]}`
            const shown = first.get(key) ?? frame
            first.set(key, shown)
            return shown
          }),
      )(fetch)
    },
  },
  'stream.updates.cached-by-node': {
    defect: 'the updates of all streams are those of the first one',
    requirements: ['stream.updates.second-run'],
    wrap: (fetch) => {
      const first = new Map<string, Frame>()
      return changeStream(
        streamRun,
        () => (frames) =>
          frames.map((frame) => {
            const [node] = updatesIn(frame)?.[0] ?? []
            if (node === undefined) return frame
            const shown = first.get(node) ?? frame
            first.set(node, shown)
            return shown
          }),
      )(fetch)
    },
  },
  'stream.updates.first-mode-only': {
    defect: 'only the first of several modes sends events',
    requirements: ['stream.updates.among-modes'],
    wrap: (fetch) => async (request) => {
      if (!matchesRoute(request, streamRun)) return fetch(request)
      const modes = (await jsonBody(request))['stream_mode']
      const shows = !Array.isArray(modes) || modes[0] === 'updates'
      return (shows ? fetch : changeUpdates(() => [])(fetch))(request)
    },
  },
  'stream.updates.last-mode': {
    defect: 'a stream contains updates only if they are the last of several modes',
    requirements: ['stream.updates.among-modes'],
    wrap: (fetch) => async (request) => {
      if (!matchesRoute(request, streamRun)) return fetch(request)
      const modes = (await jsonBody(request))['stream_mode']
      const shows = !Array.isArray(modes) || modes.at(-1) === 'updates'
      return (shows ? fetch : changeUpdates(() => [])(fetch))(request)
    },
  },
  'stream.updates.always': {
    defect: 'every stream has updates events, whatever its modes are',
    requirements: ['stream.updates.only-if-asked'],
    wrap: changeOtherStreams(
      changeEvents(streamRun, (frame) => (frame.event === 'values' ? [update('first', {}), frame] : [frame])),
    ),
  },
  'stream.updates.whoami-of-first-stream': {
    defect: 'streams of the graph whoami show the user and the settings of the first stream',
    requirements: ['stream.updates.as-stored'],
    wrap: (fetch) => {
      let first: unknown
      return changeUpdates((node, value) => {
        if (node !== 'whoami') return [update(node, value)]
        first ??= messagesOf(value)
        return [update(node, { ...Object(value), messages: first })]
      })(fetch)
    },
  },
  'stream.updates.stored-otherwise': {
    defect: 'updates lose the trailing white space of outputs',
    requirements: ['stream.updates.as-stored'],
    alsoFails: { 'stream.framing.text': 'an unusual text ends with white space' },
    wrap: changeValue((value) => ({
      ...value,
      messages: messagesOf(value).map((message) => {
        const { content } = Object(message) as { content: unknown }
        return typeof content === 'string' ? { ...Object(message), content: content.trimEnd() } : message
      }),
    })),
  },
  'stream.updates.shared-by-assistant': {
    defect: 'a stream of a created assistant has the updates of another one that is still open',
    requirements: ['stream.updates.side-by-side'],
    wrap: (fetch) => {
      const open = new Map<string, Map<string, Frame>>()
      return async (request) => {
        if (!matchesRoute(request, streamRun)) return fetch(request)
        const id = String((await jsonBody(request))['assistant_id'])
        if (!id.includes('-')) return fetch(request)
        const shared = open.get(id) ?? new Map<string, Frame>()
        const isFirst = !open.has(id)
        open.set(id, shared)
        return changeStream(streamRun, () => (frames, ended) => {
          if (ended && isFirst) open.delete(id)
          return frames.map((frame) => {
            const [pair] = updatesIn(frame) ?? []
            if (pair === undefined) return frame
            const shown = shared.get(pair[0]) ?? frame
            shared.set(pair[0], shown)
            return shown
          })
        })(fetch)(request)
      }
    },
  },
})
