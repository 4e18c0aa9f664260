import { isDeepStrictEqual } from 'node:util'
import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { Blocked } from '../harness/errors.ts'
import { at, show, textAt } from '../harness/json.ts'
import { textsOf } from '../harness/messages.ts'
import { plainRuns } from '../harness/plain-runs.ts'
import type { RunRequest } from '../harness/run-request.ts'

/** Streams a run on a new thread and returns the runs that the thread lists afterwards. */
async function streamedRuns({ deployment }: CheckContext, request: RunRequest) {
  const threadId = await deployment.thread()
  await deployment.streamed(threadId, request)
  // Runs of other threads, and one run listed twice, are for the rows of the list to tell.
  const listed = await deployment.listRuns(threadId)
  const own = listed.filter((run) => at(run, 'thread_id') === threadId)
  const known = new Map((own.length > 0 ? own : listed).map((run) => [at(run, 'run_id'), run]))
  return { threadId, runs: [...known.values()] }
}

/** `kwargs.stream_mode` of a run's record; where there is none, the row of that field says so. */
function modesOf(run: unknown): readonly unknown[] {
  const modes = at(run, 'kwargs', 'stream_mode')
  if (Array.isArray(modes) && modes.every((mode) => typeof mode === 'string')) return modes
  const part = modes === undefined ? 'present' : Array.isArray(modes) ? 'elements' : 'type'
  throw new Blocked(`run.kwargs.stream_mode.${part}`, `kwargs.stream_mode is ${show(modes)}`)
}

/** A run that is not streamed and names no mode: what it shows of modes is the matter of its own rows. */
function backgroundRun({ deployment, session }: CheckContext): Promise<unknown> {
  return session.once('a run without stream_mode', async () => (await deployment.ended({ graph: 'any' })).run)
}

export const streamRunChecks: readonly Check[] = [
  check(
    [
      'stream.run.recorded',
      'stream.run.one',
      'stream.run.success',
      'stream.run.results-in-state',
      'stream.run.kwargs-stream_mode',
    ],
    'records streamed runs',
    async (context) => {
      const { deployment, decide, verify } = context
      const { threadId, runs } = await streamedRuns(context, { text: 'on record', streamMode: ['updates'] })
      await decide('stream.run.recorded', () => {
        verify(runs.length > 0, 'the runs of a thread after a stream', 'the streamed run', runs)
      })
      if (runs.length === 0) throw new Blocked('stream.run.recorded', 'the thread lists no run')
      await decide('stream.run.one', () => {
        verify(runs.length === 1, 'the runs of a thread after one stream', 'one run', `${runs.length} runs`)
      })
      const runId = textAt(runs[0], 'run_id')
      if (runId === undefined) throw new Blocked('run.fields.run_id.type', show(runs[0]))
      const got = await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs/${runId}` })
      if (!got.ok) throw new Blocked('stream.metadata.run_id.gettable', `${got.status} ${got.text}`)
      const run = await deployment.settle(threadId, runId)
      const plain = await plainRuns(context)
      await decide('stream.run.success', () => {
        if (!plain.holds) throw new Blocked(plain.row, 'so it is with runs that are not streamed')
        verify(at(run, 'status') === 'success', 'status of a streamed run of echo', 'success', at(run, 'status'))
      })
      await decide('stream.run.results-in-state', async () => {
        if (!plain.holds) throw new Blocked(plain.row, 'so it is with runs that are not streamed')
        const texts = textsOf(await deployment.state(threadId))
        const deaf =
          texts.some((text) => text.startsWith('second:')) && !texts.some((text) => text.includes('on record'))
        if (deaf) throw new Blocked('stream.request.input', show(texts))
        verify(texts.includes('second: on record'), 'the state after a stream', 'second: on record', texts)
      })
      await decide('stream.run.kwargs-stream_mode', () => {
        const modes = modesOf(run)
        verify(modes.includes('updates'), 'kwargs.stream_mode of a run streamed with updates', '"updates" in it', modes)
      })
    },
  ),

  check('stream.mode.default-values', 'streams with the mode values by default', async (context) => {
    const { runs } = await streamedRuns(context, { graph: 'any', text: 'no mode' })
    if (runs.length === 0) throw new Blocked('stream.run.recorded', 'the thread lists no run')
    const plain = modesOf(await backgroundRun(context))
    if (show(plain) !== show(['values'])) throw new Blocked('run.kwargs.stream_mode.default', show(plain))
    const modes = modesOf(runs[0])
    const right = isDeepStrictEqual(modes, ['values'])
    context.verify(right, 'kwargs.stream_mode of a run streamed without stream_mode', '["values"]', modes)
  }),
]
