import type { Deployment, DeploymentCall } from '../deployment.ts'
import type { RunCreate } from '../schemas/requests.ts'
import { deleteThread } from '../threads.ts'
import { type CreatedRun, createRunOn } from './create.ts'

/** Creates a run on a thread of its own, which is deleted when the run ends unless `on_completion` is `keep`. */
export async function createAlone(
  deployment: Deployment,
  call: DeploymentCall,
  kind: 'background' | 'streamed',
  request: RunCreate,
): Promise<CreatedRun> {
  const on_completion = request.on_completion ?? 'delete'
  const whole: RunCreate = { ...request, on_completion, if_not_exists: 'create' }
  const isTemporary = on_completion === 'delete'
  const place = { thread_id: deployment.ids.thread(), isTemporary }
  const created = await createRunOn(deployment, call, kind, place, whole)
  const { log, thread_id } = created.run
  if (isTemporary) {
    void log.finished().then(() => {
      const thread = deployment.store.threads.get(thread_id)
      if (thread !== undefined) deleteThread(deployment, thread)
    })
  }
  return created
}
