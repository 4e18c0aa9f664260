import type { Deployment, DeploymentCall } from '../deployment.ts'
import { createRunOn } from '../runs/create.ts'
import { createAlone } from '../runs/create-alone.ts'
import type { Cron } from './crons.ts'

/** Creates the run of a cron that is due. A run that is refused, for example because its thread was deleted, is skipped. */
export function fireCron(deployment: Deployment, cron: Cron): void {
  const { thread_id, user, on_run_completed } = cron
  const payload = { multitask_strategy: 'enqueue' as const, ...cron.payload }
  const call: DeploymentCall = {
    request: new Request('http://mock/runs/crons', { method: 'POST' }),
    caller: user,
    endpoint: 'POST /runs/crons',
    param: () => '',
    query: () => ({}),
  }
  const created =
    thread_id === null
      ? createAlone(deployment, call, 'background', { ...payload, on_completion: on_run_completed })
      : createRunOn(deployment, call, 'background', { thread_id, isTemporary: false }, payload)
  created.catch(() => undefined)
}
