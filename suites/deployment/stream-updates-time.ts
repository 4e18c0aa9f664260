import { shapeOf } from '../harness/answer-shape.ts'
import { type Check, check } from '../harness/check.ts'
import { Blocked } from '../harness/errors.ts'
import { parsed, show } from '../harness/json.ts'
import { nodeUpdates } from '../harness/updates.ts'
import { whileAsleep } from './multitask-scene.ts'

export const streamUpdatesTimeChecks: readonly Check[] = [
  check(
    ['stream.updates.progressive', 'stream.updates.unchanged-node'],
    'sends updates while the run executes',
    async (context) => {
      const { deployment, decide, verify, observe } = context
      const play = async (ms: number) => {
        const request = { assistantId: await deployment.slow(ms), text: 'progress', streamMode: ['updates'] }
        const { events } = await deployment.streamed(await deployment.thread(), request)
        const updates = nodeUpdates(events)
        const [first, last] = ['before', 'after'].map((name) => updates.find(({ node }) => node === name))
        return { updates, apart: first && last ? last.atMs - first.atMs : undefined, ms }
      }
      // The nodes lie as far apart as the graph sleeps: half of that leaves room for the way of the events.
      const inTime = ({ apart, ms }: { apart: number | undefined; ms: number }) =>
        apart !== undefined && apart >= ms / 2
      const played = await whileAsleep(context, play, inTime)
      const unchanged = played.updates.find(({ node }) => node === 'sleep')
      observe('stream.updates.unchanged-node', unchanged === undefined ? 'there is none' : show(unchanged.value))
      if (played.apart === undefined)
        throw new Blocked('stream.updates.each-node', 'no update of the first or last node')
      await decide('stream.updates.progressive', () => {
        const arrivals = played.updates.map(({ node, atMs }) => `${node} after ${atMs} ms`).join(', ')
        verify(
          inTime(played),
          `updates of a run that sleeps ${played.ms} ms`,
          'the first before the sleep is over',
          arrivals,
        )
      })
    },
  ),

  check(
    ['stream.updates.before-failure', 'stream.updates.none-for-failed', 'stream.failure.events'],
    'sends the updates of nodes before a failure',
    async ({ deployment, decide, verify, observe }) => {
      const request = { graph: 'fail', text: 'will fail', streamMode: ['updates'] } as const
      const { events } = await deployment.streamed(await deployment.thread(), request)
      const nodes = nodeUpdates(events).map(({ node }) => node)
      await decide('stream.updates.before-failure', async () => {
        const control = await deployment.streamed(await deployment.thread(), { ...request, graph: 'echo' })
        const known = nodeUpdates(control.events).some(({ node }) => node === 'first')
        if (!known) throw new Blocked('stream.updates.each-node', 'a run that succeeds has none either')
        verify(nodes.includes('before'), 'updates of a run whose second node fails', 'one of the node before', nodes)
      })
      await decide('stream.updates.none-for-failed', () => {
        verify(!nodes.includes('boom'), 'updates of a run whose second node fails', 'no event of the node boom', nodes)
      })
      const further = events.filter(({ event }) => event !== 'metadata' && event !== 'updates')
      const shown = further.map(({ event, data }) => `${event} ${shapeOf(parsed(data))}`)
      observe('stream.failure.events', shown.join('; ') || 'none beside metadata and updates')
    },
  ),
]
