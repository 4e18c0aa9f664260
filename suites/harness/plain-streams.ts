import type { RequirementId } from '../catalog/generated/ids.ts'
import type { CheckContext } from './context.ts'
import { at } from './json.ts'
import { textsOf } from './messages.ts'
import type { Need } from './plain-runs.ts'
import { streamedRunId } from './stream-metadata.ts'

type Stage = Pick<CheckContext, 'deployment' | 'session'>

/**
 * Whether a streamed run that meets no other can be read, succeeds and leaves its results: the first row that it breaks.
 * Where there is one, nothing else is to blame for what is wrong with other streamed runs.
 */
export function plainStream(stage: Stage): Promise<Need> {
  return stage.session.once('a streamed run that meets no other', async () => {
    const broken = await brokenByPlainStream(stage)
    return { row: broken ?? 'stream.run.success', holds: broken === undefined }
  })
}

async function brokenByPlainStream({ deployment }: Stage): Promise<RequirementId | undefined> {
  const threadId = await deployment.thread()
  const runId = streamedRunId(await deployment.streamed(threadId, { text: 'streamed', streamMode: ['updates'] }))
  const listed = (await deployment.listRuns(threadId)).map((run) => at(run, 'run_id'))
  if (listed.length > 0 && !listed.includes(runId)) return 'stream.metadata.run_id.of-run'
  const { ok } = await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs/${runId}` })
  if (!ok) return 'stream.metadata.run_id.gettable'
  if (at(await deployment.settle(threadId, runId), 'status') !== 'success') return 'stream.run.success'
  const texts = textsOf(await deployment.state(threadId))
  if (!texts.some((text) => text.startsWith('second:'))) return 'stream.run.results-in-state'
  return texts.includes('second: streamed') ? undefined : 'stream.request.input'
}
