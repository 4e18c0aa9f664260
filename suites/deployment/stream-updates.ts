import { isObject } from '../catalog/facts.ts'
import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { Blocked } from '../harness/errors.ts'
import { at, listAt, show } from '../harness/json.ts'
import { textOf, textsOf } from '../harness/messages.ts'
import { dataOf, type NodeUpdate, nodeUpdates, updatedMessages } from '../harness/updates.ts'

const nodes = ['first', 'second'] as const

/** The updates of a streamed run of `echo`. */
async function updatesOn(
  { deployment }: CheckContext,
  threadId: string,
  text: string,
  streamMode: readonly string[] = ['updates'],
) {
  const { events } = await deployment.streamed(threadId, { graph: 'echo', text, streamMode })
  return { data: dataOf(events, 'updates'), updates: nodeUpdates(events) }
}

/**
 * The texts of all messages in the updates of nodes; where there are none, or none has to do with the inputs, the row
 * of messages or of the input says so.
 */
function textsIn(
  updates: readonly NodeUpdate[],
  of: readonly string[] = nodes,
  inputs: readonly string[] = [],
): readonly string[] {
  const messages = of.flatMap((node) => updatedMessages(updates, node))
  if (messages.length === 0) throw new Blocked('stream.updates.messages-of-node', 'the updates contain no message')
  const texts = messages.map((message) => {
    const text = textOf(message)
    if (text !== undefined) return text
    const part = at(message, 'content') === undefined ? 'present' : 'type'
    throw new Blocked(`stream.updates.ai.content.${part}`, `a message is ${show(message, 200)}`)
  })
  const answers = inputs.length === 0 || texts.some((text) => inputs.some((input) => text.includes(input)))
  if (!answers) throw new Blocked('stream.request.input', show(texts))
  return texts
}

type NodeRule = (known: readonly string[], wanted: readonly string[]) => boolean

/** What rows say about the nodes that were updated, beside those that ran. */
const orderRules: Readonly<Record<`stream.updates.${'each-node' | 'once-a-node' | 'in-order'}`, NodeRule>> = {
  'stream.updates.each-node': (known, wanted) => wanted.every((node) => known.includes(node)),
  'stream.updates.once-a-node': (known) => new Set(known).size === known.length,
  'stream.updates.in-order': (known, wanted) => {
    const places = wanted.map((node) => known.indexOf(node)).filter((place) => place >= 0)
    return places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0))
  },
}

const shapes = check(
  ['stream.updates.sent', 'stream.updates.data-object', 'stream.updates.node-names'],
  'keys updates by node',
  async (context) => {
    const { deployment, decide, verify } = context
    const { data, updates } = await updatesOn(context, await deployment.thread(), 'shapes')
    await decide('stream.updates.sent', () => {
      verify(data.length > 0, 'a stream with the mode updates', 'updates events', 'none')
    })
    if (data.length === 0) throw new Blocked('stream.updates.sent', 'the stream has no updates event')
    await decide('stream.updates.data-object', () => {
      verify(data.every(isObject), 'data of the updates events', 'objects', data)
    })
    if (updates.length === 0) throw new Blocked('stream.updates.data-object', 'no update is keyed by anything')
    await decide('stream.updates.node-names', () => {
      const strange = updates.filter(({ node }) => !nodes.some((name) => name === node))
      verify(strange.length === 0, 'keys of the updates of echo', 'first, second', data)
    })
  },
)

const order = check(
  ['stream.updates.each-node', 'stream.updates.once-a-node', 'stream.updates.in-order'],
  'sends one update for each node in order',
  async (context) => {
    const { deployment, decide, verify } = context
    const { updates } = await updatesOn(context, await deployment.thread(), 'each in order')
    const [known, slow] = [updates.map(({ node }) => node), await slowNodes(context)]
    if (known.length === 0) throw new Blocked('stream.updates.sent', 'the stream has no updates event')
    if (!known.some((node) => node === 'first' || node === 'second')) {
      throw new Blocked('stream.updates.node-names', `keyed by ${known.join(', ')}`)
    }
    const runs = [
      { graph: 'echo', known, wanted: ['first', 'second'] },
      { graph: 'slow', known: slow, wanted: ['before', 'sleep', 'after'] },
    ]
    for (const row of ['stream.updates.each-node', 'stream.updates.once-a-node', 'stream.updates.in-order'] as const) {
      await decide(row, () => {
        const broken = runs.find((run) => !orderRules[row](run.known, run.wanted))
        verify(!broken, `updates of a run of ${broken?.graph}`, `${broken?.wanted}`, broken?.known)
      })
    }
  },
)

/** Nodes of `slow` in the order of their updates: one of them changes nothing. */
async function slowNodes({ deployment }: CheckContext): Promise<readonly string[]> {
  const request = { assistantId: await deployment.slow(10), text: 'each in order', streamMode: ['updates'] }
  const { events } = await deployment.streamed(await deployment.thread(), request)
  return nodeUpdates(events).map(({ node }) => node)
}

const values = check(
  [
    'stream.updates.value-object',
    'stream.updates.messages-present',
    'stream.updates.messages-array',
    'stream.updates.messages-objects',
    'stream.updates.messages-of-node',
    'stream.updates.messages-only-of-node',
  ],
  'sends the messages of a node in its update',
  async (context) => {
    const { deployment, decide, verify } = context
    const { updates } = await updatesOn(context, await deployment.thread(), 'produced')
    if (updates.length === 0) throw new Blocked('stream.updates.sent', 'the stream has no updates event')
    const strange = updates.filter(({ node }) => !nodes.some((name) => name === node))
    if (strange.length > 0) throw new Blocked('stream.updates.node-names', show(strange))
    const all = (holds: (value: unknown) => boolean) => updates.every(({ value }) => holds(value))
    const messages = updates.flatMap(({ value }) => listAt(value, 'messages'))
    const steps = [
      ['stream.updates.value-object', 'an object', all(isObject)],
      ['stream.updates.messages-present', 'messages', all((value) => at(value, 'messages') !== undefined)],
      ['stream.updates.messages-array', 'messages as an array', all((value) => Array.isArray(at(value, 'messages')))],
      ['stream.updates.messages-objects', 'messages as objects', messages.length > 0 && messages.every(isObject)],
    ] as const
    for (const [row, expected, holds] of steps) {
      await decide(row, () => verify(holds, 'the values of the updates of echo', expected, updates))
      if (!holds) throw new Blocked(row, 'the updates hold no messages to look at')
    }
    const answers = textsIn(updates)
    if (!answers.some((text) => text.includes('produced'))) throw new Blocked('stream.request.input', show(answers))
    const wanted = updates.map(({ node }) => `${node}: produced`)
    const texts = updates.map(({ value }) => listAt(value, 'messages').map(textOf))
    const own = texts.every((found, index) => found.includes(wanted[index]))
    await decide('stream.updates.messages-of-node', () => {
      verify(own, 'messages in the updates of echo', `one each: ${wanted.join('; ')}`, texts)
    })
    if (!own) throw new Blocked('stream.updates.messages-of-node', 'the message of a node is not there')
    await decide('stream.updates.messages-only-of-node', () => {
      const holds = texts.every((found, index) => found.every((text) => text === wanted[index]))
      verify(holds, 'messages in the updates of echo', `these alone: ${wanted.join('; ')}`, texts)
    })
  },
)

export const streamUpdatesChecks: readonly Check[] = [
  shapes,
  order,
  values,

  check('stream.updates.among-modes', 'sends updates in addition to other modes', async (context) => {
    const seenWith = async (modes: readonly string[]) => {
      const { updates } = await updatesOn(context, await context.deployment.thread(), 'among', modes)
      return updates.map(({ node }) => node)
    }
    const [alone, seen] = [await seenWith(['updates']), await seenWith(['values', 'updates'])]
    const missing = nodes.find((node) => !alone.includes(node))
    if (missing) throw new Blocked('stream.updates.each-node', `also with the mode updates alone ${missing} is missing`)
    const right = nodes.every((node) => seen.includes(node))
    context.verify(right, 'updates with the modes values and updates', 'first, second', seen)
  }),

  check(
    ['stream.updates.second-run', 'stream.updates.as-stored'],
    'sends only the messages of the streamed run',
    async (context) => {
      const { deployment, decide, verify } = context
      const threadId = await deployment.thread()
      await updatesOn(context, threadId, 'earlier')
      const { updates } = await updatesOn(context, threadId, 'later ')
      const texts = textsIn(updates, nodes, ['earlier', 'later'])
      await decide('stream.updates.second-run', () => {
        const right = texts.every((text) => text.includes('later'))
        verify(right, 'messages in the updates of a second run', '"first: later ", "second: later "', texts)
      })
      await decide('stream.updates.as-stored', async () => {
        const stored = textsOf(await deployment.state(threadId))
        if (!stored.some((text) => text.includes(': later')))
          throw new Blocked('stream.run.results-in-state', show(stored))
        const strange = texts.filter((text) => !stored.includes(text))
        verify(strange.length === 0, 'messages in the updates of a run', `messages of the state: ${stored}`, strange)
      })
    },
  ),

  check('stream.updates.side-by-side', 'separates concurrent streams', async (context) => {
    const { deployment, verify } = context
    const [assistantId, texts] = [await deployment.slow(), ['left', 'middle', 'right']]
    const seen = await Promise.all(
      texts.map(async (text) => {
        const request = { assistantId, text, streamMode: ['updates'] }
        const updates = nodeUpdates((await deployment.streamed(await deployment.thread(), request)).events)
        return textsIn(updates, ['before', 'after'], texts)
      }),
    )
    const right = seen.every((found, index) => found.every((text) => text.includes(texts[index] ?? '')))
    verify(right, 'messages in the updates of three concurrent streams', `each its own of ${texts}`, seen)
  }),
]
