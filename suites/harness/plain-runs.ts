import type { RequirementId } from '../catalog/generated/ids.ts'
import type { CheckContext } from './context.ts'
import { at } from './json.ts'
import { textsOf } from './messages.ts'

/** A row of another check with what is known of it. */
export interface Need {
  readonly row: RequirementId
  readonly holds: boolean
}

type Stage = Pick<CheckContext, 'deployment' | 'session'>

/**
 * Whether two runs one after another, which meet no other, end and leave what runs leave: the first row that they break.
 * Where there is one, nothing else is to blame for what is missing after other runs.
 */
export function plainRuns(stage: Stage): Promise<Need> {
  return stage.session.once('runs that meet no other', async () => {
    const broken = await brokenByPlainRuns(stage)
    return { row: broken ?? 'run.status.success', holds: broken === undefined }
  })
}

async function brokenByPlainRuns({ deployment }: Stage): Promise<RequirementId | undefined> {
  const request = { graph: 'echo', text: 'plain', strategy: 'enqueue' } as const
  const { threadId, run } = await deployment.ended(request)
  if (at(run, 'status') !== 'success') return 'run.status.success'
  const left = textsOf(await deployment.state(threadId))
  if (left.length === 0) return 'service.run.updates-state'
  if (!['first: plain', 'second: plain'].every((text) => left.includes(text))) return 'run.status.results-in-state'
  if (!left.includes('plain')) return 'message.input.stored'
  if (follows(left, 'plain', 'first: plain')) return 'message.order.input-first'
  if (follows(left, 'first: plain', 'second: plain')) return 'message.order.of-nodes'
  await deployment.settle(threadId, await deployment.startRun(threadId, { ...request, text: 'plain again' }))
  const both = textsOf(await deployment.state(threadId))
  if (!left.every((text) => both.includes(text))) return 'service.thread.keeps-conversation'
  return follows(both, 'first: plain', 'first: plain again') ? 'message.order.of-runs' : undefined
}

/** Whether a text stands behind the one that it should stand before. */
function follows(texts: readonly string[], earlier: string, later: string): boolean {
  return texts.includes(later) && texts.indexOf(earlier) > texts.indexOf(later)
}
