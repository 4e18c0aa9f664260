import { metadataEventTable } from '../catalog/deployment/stream-fields.ts'
import { isObject, isUuid } from '../catalog/facts.ts'
import { fieldIds } from '../catalog/fields.ts'
import { type Check, check, scenario } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { Blocked } from '../harness/errors.ts'
import { at, show } from '../harness/json.ts'
import { streamedRunId } from '../harness/stream-metadata.ts'
import { dataOf } from '../harness/updates.ts'

/** A stream of any graph, read to its end, on a thread. */
async function streamOn({ deployment }: CheckContext, threadId: string, text: string) {
  return deployment.streamed(threadId, { graph: 'any', text, streamMode: ['updates'] })
}

export const streamMetadataChecks: readonly Check[] = [
  check(
    [
      'stream.metadata.sent',
      'stream.metadata.first',
      'stream.metadata.once',
      'stream.metadata.data-object',
      'stream.metadata.further',
    ],
    'starts streams with the metadata event',
    async (context) => {
      const { deployment, decide, verify, observe } = context
      const { events } = await streamOn(context, await deployment.thread(), 'metadata first')
      const names = events.map(({ event }) => event)
      const data = dataOf(events, 'metadata')
      await decide('stream.metadata.sent', () => {
        verify(data.length > 0, 'the events of a stream', 'an event metadata', names)
      })
      if (data.length === 0) throw new Blocked('stream.metadata.sent', 'the stream has no metadata event')
      await decide('stream.metadata.first', () => {
        verify(names[0] === 'metadata', 'the first event of a stream', 'metadata', names)
      })
      await decide('stream.metadata.once', () => {
        verify(data.length === 1, 'the events metadata of a stream', 'one', names)
      })
      await decide('stream.metadata.data-object', () => {
        verify(data.every(isObject), 'data of the event metadata', 'an object', data)
      })
      const keys = Object.keys(Object(data[0])).filter((key) => key !== 'run_id')
      observe('stream.metadata.further', keys.join(', ') || 'nothing')
    },
  ),

  scenario(fieldIds(metadataEventTable), 'streams a run', async (context) => {
    await streamOn(context, await context.deployment.thread(), 'metadata fields')
  }),

  check(
    ['stream.metadata.run_id.of-run', 'stream.metadata.run_id.gettable', 'stream.metadata.run_id.fresh'],
    'identifies the run in the metadata event',
    async (context) => {
      const { deployment, decide, verify } = context
      const threadId = await deployment.thread()
      const runId = streamedRunId(await streamOn(context, threadId, 'whose run'))
      const listed = (await deployment.listRuns(threadId)).map((run) => at(run, 'run_id'))
      if (listed.length === 0) throw new Blocked('stream.run.recorded', 'the thread lists no run')
      if (!listed.every((id) => typeof id === 'string')) throw new Blocked('run.fields.run_id.type', show(listed))
      if (!listed.every(isUuid)) throw new Blocked('run.fields.run_id.uuid', show(listed))
      await decide('stream.metadata.run_id.of-run', () => {
        verify(listed.includes(runId), 'run_id in metadata', `a run of the thread: ${listed}`, runId)
      })
      if (!listed.includes(runId)) throw new Blocked('stream.metadata.run_id.of-run', 'run_id names another run')
      await decide('stream.metadata.run_id.gettable', async () => {
        const path = `/threads/${threadId}/runs/${runId}`
        const answer = await deployment.http.send({ method: 'GET', path })
        // Where no run can be read, the row of that endpoint is to blame.
        if (!answer.ok) await deployment.ended({ graph: 'any', text: 'not streamed' })
        // Where no run at all can be read, the row of reading says so.
        if (!answer.ok) await deployment.ended({ graph: 'any' })
        verify(answer.ok, `GET ${path}`, 'the streamed run', `${answer.status} ${show(answer.text, 300)}`)
      })
      await decide('stream.metadata.run_id.fresh', async () => {
        const next = streamedRunId(await streamOn(context, threadId, 'next run'))
        verify(next !== runId, 'run_id of a second stream on the thread', 'another id', next)
      })
    },
  ),
]
